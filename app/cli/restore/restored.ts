import { Refusal } from '../../../domain/core/errors.ts'
import { liftHold } from '../../../infra/postgres/holds.ts'
import type { Database } from '../../../infra/postgres/pool.ts'
import {
  progressOfLooks,
  RESTORED,
  restoreHold,
  stillPending,
  type RestoredWork,
} from '../../../infra/postgres/restores.ts'
import type { Core } from '../../wiring/core.ts'
import { lookAlikePosts } from '../../../reactors/publishing/look-alike-posts.ts'
import { settleUnknown } from '../../../reactors/restored/settle-unknown.ts'

const MOST_LISTED = 500

type Deps = Pick<Core, 'log' | 'clock' | 'access' | 'logger' | 'seen'> & { readonly db: Database }

/** What a release does with work whose outcome is unknown. */
export const FOR_UNKNOWN = ['fail', 'send'] as const
export type ForUnknown = (typeof FOR_UNKNOWN)[number]

export interface RestoreStatus {
  /** ISO 8601 UTC: when sending stopped; absent if the service is not on hold. */
  readonly heldSince?: string
  /** How many posts, replies and first comments were found on their platforms and settled. */
  readonly found: number
  /** How many are still to be looked for. */
  readonly toLookFor: number
  readonly waiting: readonly Waiting[]
}

/** Work that waits until a restored service is released. */
export interface Waiting extends Omit<RestoredWork, 'subject' | 'reason'> {
  /** The id of the post, reply, recycling rule or feed. */
  readonly id: string
  readonly reason?: string
  /** What a release does with it. */
  readonly onRelease: string
}

const ON_RELEASE: Readonly<Record<RestoredWork['outcome'], string>> = {
  found: 'nothing',
  absent: 'is sent',
  new: 'is sent',
  unknown: 'you decide: --unknown fail or send',
  unreachable: 'is looked up again until then; after that you decide: --unknown fail or send',
  skipped: 'does not post new items at its next check',
}

export async function restoreStatus({ db }: Pick<Deps, 'db'>): Promise<RestoreStatus> {
  const hold = await restoreHold(db)
  if (!hold) return { found: 0, toLookFor: 0, waiting: [] }
  const { found, left } = await progressOfLooks(db, hold.since)
  const waiting = (await stillPending(db, { limit: MOST_LISTED })).map(
    ({ id: _, subject: id, outcome, reason, ...work }): Waiting => ({
      ...{ id, ...work, outcome },
      ...(reason !== '' && { reason }),
      onRelease: ON_RELEASE[outcome],
    }),
  )
  return { heldSince: hold.since, found, toLookFor: left, waiting }
}

export interface Released {
  readonly released: boolean
  /** How many ended with an unknown outcome. */
  readonly unknown: number
}

/**
 * Releases the service, so that work that is not live is sent. It may be interrupted anywhere and repeated.
 *
 * @throws Refusal failed_precondition while work is still to be looked for, unless `unknown` is `send`, and while the outcome of
 *   some is unknown and `unknown` is absent
 */
export async function releaseRestored(core: Deps, { unknown }: { readonly unknown?: ForUnknown }): Promise<Released> {
  const hold = await restoreHold(core.db)
  if (!hold) return { released: false, unknown: 0 }
  const { left } = await progressOfLooks(core.db, hold.since)
  if (left > 0 && unknown !== 'send') {
    throw new Refusal(
      'failed_precondition',
      `${left} pieces of work have not been looked up yet. This requires a running service with the role reactors; see fanfare restore status.`,
    )
  }
  const undecided = await stillPending(core.db, { outcomes: ['unknown', 'unreachable'] })
  if (undecided.length > 0 && unknown === undefined) throw new Refusal('failed_precondition', UNDECIDED)
  if (unknown === 'fail') {
    const deps = { ...core, alike: lookAlikePosts(core) }
    const { signal } = new AbortController()
    for (const work of undecided) await settleUnknown(deps, work, Date.parse(hold.since), signal)
  }
  await liftHold(core.db, RESTORED)
  return { released: true, unknown: unknown === 'fail' ? undecided.length : 0 }
}

const UNDECIDED =
  'It is unknown whether some posts or replies are live; fanfare restore status lists them first. Run this again with --unknown fail to end them with an unknown outcome, so that their owners can retry them, or with --unknown send to send them all.'
