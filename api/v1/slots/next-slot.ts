import { load } from '../../../commands/handle.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { post, type Due } from '../../../domain/post/post.ts'
import { commonSlots, freeTimes } from '../../../domain/post/slots.ts'
import type { Database } from '../../../infra/postgres/pool.ts'
import { takenTimes } from '../../../projections/models/scheduled-posts.ts'
import { findSlots } from '../../../projections/models/workspaces.ts'
import type { Services } from '../../kit/services.ts'
import { IN_PROGRESS_MS, withClaims, type Claim } from '../posts/claims.ts'

export const NEXT_SLOT = 'next-slot'

type Deps = Pick<Services, 'db' | 'log' | 'clock'>

interface Target {
  readonly workspaceId: string
  readonly selections: Readonly<Record<string, readonly string[]>>
  /** A post whose present time counts as free. */
  readonly id?: string | undefined
}

/**
 * The free slots of the next year, soonest first.
 *
 * @throws Refusal invalid_request when there is no plan, or no slot that all platforms have
 */
export async function freeSlots(deps: Deps, { workspaceId, selections, id = '' }: Target): Promise<Generator<Due>> {
  const plan = await findSlots(deps.db, workspaceId)
  const slots = commonSlots(plan, Object.keys(selections))
  const accountIds = Object.values(selections).flat()
  const taken = await takenTimes(deps.db, { workspaceId, accountIds, except: id })
  return freeTimes(slots, plan?.timezone ?? 'UTC', deps.clock.now(), taken)
}

/** @throws Refusal failed_precondition when there is none */
export function firstOf(times: Iterable<Due>): Due {
  for (const due of times) return due
  throw allTaken()
}

/**
 * Makes or moves a post at the first free slot. No other request gets that slot for one of its accounts.
 *
 * @param times from which the slot is taken; default: all free ones
 * @throws Refusal as `freeSlots`; failed_precondition when every slot is taken
 */
export async function atNextSlot<T>(
  deps: Deps,
  target: Target & { readonly id: string },
  make: (due: Due) => Promise<T>,
  times?: Iterator<Due>,
): Promise<T> {
  const { workspaceId, id, selections } = target
  const accountIds = Object.values(selections).flat()
  const free = times ?? (await freeSlots(deps, target))
  // A loop over the iterator would end it for the posts after this one.
  for (let next = free.next(); next.done !== true; next = free.next()) {
    const due = next.value
    const keys = accountIds.map((accountId) => `${slotKey(due.dueAt)}${accountId}`)
    const check = async (claim: Claim) => {
      if (await holds(deps, claim, due, accountIds)) throw new SlotTaken()
    }
    try {
      return await withClaims(deps, { workspaceId, id, keys }, check, async () => make(due))
    } catch (error) {
      if (!(error instanceof SlotTaken)) throw error
    }
  }
  throw allTaken()
}

/** Forgets that a post that was moved had claimed a slot. @param dueAt its former time, ISO 8601 UTC */
export async function releaseSlot(
  db: Database,
  of: { readonly workspaceId: string; readonly id: string; readonly dueAt: string },
): Promise<void> {
  await db.query('delete from service.post_claims where workspace_id = $1 and post_id = $2 and starts_with(key, $3)', [
    ...[of.workspaceId, of.id, slotKey(of.dueAt)],
  ])
}

class SlotTaken extends Error {}

function slotKey(dueAt: string): string {
  return `slot ${dueAt} `
}

async function holds(
  { log, clock }: Deps,
  { postId, createdAt }: Claim,
  { dueAt }: Due,
  accountIds: readonly string[],
): Promise<boolean> {
  const state = await load(log, post, postId)
  if (state.status === 'pending' && state.due.dueAt === dueAt) {
    const own = Object.values(state.content.selections).flat()
    if (own.some((accountId) => accountIds.includes(accountId))) return true
  }
  // It may be about to be made, or moved here.
  const isComing = state.status === 'absent' || state.status === 'pending'
  return isComing && clock.now() - Date.parse(createdAt) < IN_PROGRESS_MS
}

export function allTaken(): Refusal {
  return new Refusal(
    'failed_precondition',
    'scheduledFor is "next-slot", but every slot of the next year is taken. Add slots with PUT /v1/slots, or name a time.',
  )
}
