import { plural } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answered, api } from '../../client/client.ts'
import { useAccounts } from '../../client/queries.ts'
import type { SlotPlan } from '../../client/types.ts'
import { useBack } from '../../parts/back.ts'
import { PlatformIcons } from '../../parts/platform-icon.tsx'
import { addDays, clockOf, dayOf, startOf, timeOfDay } from '../../parts/time.ts'
import type { Filters } from './entries.ts'
import type { Shown } from './shown.ts'

const MOST = 1000

export interface FreeSlot {
  readonly at: string
  /** Those that have it in slots of their own; none if it is one of the default slots. */
  readonly platforms: readonly string[]
}

/** One question about free slots: accounts that have the same plan. */
interface Asked {
  readonly platforms: readonly string[]
  readonly accountId?: string
  /** Whether they are slots of a platform's own. */
  readonly isOwn: boolean
}

export interface FreeSlots {
  /** Whether the accounts that are shown have slots at all. */
  readonly isKnown: boolean
  readonly on: (day: string) => readonly FreeSlot[]
}

/** The slots of the coming days at which none of the accounts with such a slot has a post. */
export function useFreeSlots(days: readonly string[], filters: Filters): FreeSlots {
  const [first = '', last = first] = [days[0], days.at(-1)]
  const { data: accounts } = useAccounts()
  const plan = useQuery({ queryKey: ['slots', 'calendar'], queryFn: () => answered(api.GET('/slots')) })
  const asked = accounts && plan.data ? askedOf(plan.data, Object.entries(accounts), filters) : []
  const free = useQuery({
    queryKey: ['scheduled-post', 'free-slots', first, last, asked, plan.data],
    queryFn: () => readFree(first, last, asked),
    enabled: asked.length > 0,
    placeholderData: (before) => before,
  })
  const slots = asked.length > 0 ? (free.data ?? []) : []
  return {
    isKnown: asked.length > 0,
    on: (day) => slots.filter(({ at }) => dayOf(at) === day),
  }
}

/** Platforms without slots of their own have the default ones, together. Those without any are left out. */
function askedOf(
  { default: usual, platforms: own }: SlotPlan,
  accounts: readonly (readonly [string, readonly { readonly id: string }[]])[],
  { platform, account }: Filters,
): readonly Asked[] {
  const shown = accounts
    .filter(([key, list]) =>
      account ? list.some(({ id }) => id === account) : list.length > 0 && (platform === '' || platform === key),
    )
    .map(([key]) => key)
  const plans = [shown.filter((key) => !(key in own)), ...shown.filter((key) => key in own).map((key) => [key])]
  return plans
    .filter(([key]) => key !== undefined && (own[key] ?? usual).length > 0)
    .map((platforms) => ({
      platforms,
      isOwn: platforms.some((key) => key in own),
      ...(account && { accountId: account }),
    }))
}

async function readFree(first: string, last: string, asked: readonly Asked[]): Promise<readonly FreeSlot[]> {
  const period = { from: startOf(first).toISOString(), to: startOf(addDays(last, 1)).toISOString(), limit: MOST }
  const byTime = new Map<string, readonly string[]>()
  await Promise.all(
    asked.map(async ({ platforms, isOwn, accountId }) => {
      const of = accountId ? { accountIds: accountId } : { platforms: platforms.join(',') }
      const { slots } = await answered(api.GET('/slots/next', { params: { query: { ...period, ...of } } }))
      for (const { scheduledAtUtc: at } of slots) {
        const before = byTime.get(at)
        byTime.set(at, isOwn && before?.length !== 0 ? [...(before ?? []), ...platforms] : [])
      }
    }),
  )
  return [...byTime].map(([at, platforms]) => ({ at, platforms })).toSorted((a, b) => (a.at < b.at ? -1 : 1))
}

export function freeSlotsOf(count: number): string {
  return plural(count, { one: '# free slot', other: '# free slots' })
}

export function FreeSlotLink({ of, composeAt }: Pick<Shown, 'composeAt'> & { readonly of: FreeSlot }) {
  return (
    <Link to={composeAt(dayOf(of.at), clockOf(of.at))} state={useBack()} className="entry free-slot" draggable={false}>
      <span className="entry-head">
        <Trans>
          Free slot <span className="entry-time">{timeOfDay(of.at)}</span>
        </Trans>
        <PlatformIcons of={of.platforms} />
      </span>
    </Link>
  )
}
