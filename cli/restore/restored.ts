import { finalText } from '../../domain/caption.ts'
import { Refusal } from '../../domain/errors.ts'
import { isPlatformKey } from '../../domain/platform.ts'
import { isQueued, post } from '../../domain/post.ts'
import { load } from '../../commands/handle.ts'
import { targetState } from '../../commands/publish-attempt.ts'
import type { Database } from '../../database/pool.ts'
import type { Core } from '../../main.ts'
import type { WorkKind } from '../../projections/agenda.ts'
import { holdsOf, liftHold, type Hold } from '../../database/holds.ts'

/** The name of the hold of a service whose log was restored. */
export const RESTORED = 'restore'
/** What may be live already. */
const VISIBLE: readonly WorkKind[] = ['publish', 'send', 'schedule', 'recycle', 'feed']
const TEXT_LENGTH = 60
const MOST_LISTED = 500

type Deps = Pick<Core, 'log' | 'clock'> & { readonly db: Database }

/** What waits until a restored service is released. */
export interface Waiting {
  readonly kind: WorkKind
  /** Of the post, reply, scheduled post, recycling rule or feed. */
  readonly id: string
  /** ISO 8601 UTC. */
  readonly dueAt: string
  readonly workspaceId?: string
  readonly platform?: string
  readonly accountId?: string
  /** How it begins. */
  readonly text?: string
  /** What a release does with it. */
  readonly onRelease: string
}

export interface RestoreStatus {
  /** ISO 8601 UTC: since when nothing is sent; absent when nothing is held. */
  readonly heldSince?: string
  readonly waiting: readonly Waiting[]
}

export async function restoreStatus({ db, log, clock }: Deps): Promise<RestoreStatus> {
  const hold = await restoreHold(db)
  if (!hold) return { waiting: [] }
  const { rows } = await db.query<Pick<Waiting, 'kind' | 'id'> & { part: string; due_at: string }>(
    `select kind, subject as id, part, due_at from read.agenda
     where kind = 'publish' or (kind = any($1) and due_at <= $2) order by due_at, id limit ${MOST_LISTED}`,
    [VISIBLE, new Date(clock.now())],
  )
  const waiting = await Promise.all(
    rows.map(async ({ kind, id, part, due_at: dueAt }): Promise<Waiting> => {
      if (kind !== 'publish') return { kind, id, dueAt, onRelease: 'is done' }
      const slash = part.indexOf('/')
      const key = { platform: part.slice(0, slash), accountId: part.slice(slash + 1) }
      const state = await load(log, post, id)
      const target = targetState(state, key)
      const about =
        isQueued(state) && isPlatformKey(key.platform)
          ? { workspaceId: state.workspaceId, text: finalText(state, key.platform).slice(0, TEXT_LENGTH) }
          : {}
      return { kind, id, dueAt, ...key, ...about, onRelease: target ? ON_RELEASE[target.step] : 'nothing' }
    }),
  )
  return { heldSince: hold.since, waiting }
}

const ON_RELEASE = {
  queued: 'is sent',
  preparing: 'is sent',
  submitted: 'is looked for on the platform first',
  published: 'its first comment is sent, or looked for if it was under way',
  failed: 'nothing',
} as const

/** Lets everything that is owed go. Repeating it changes nothing. */
export async function releaseRestored(
  core: Deps,
  options: { readonly yes?: boolean },
): Promise<{ readonly released: boolean }> {
  const { heldSince, waiting } = await restoreStatus(core)
  if (heldSince === undefined) return { released: false }
  if (waiting.length > 0 && !options.yes) {
    throw new Refusal(
      'failed_precondition',
      `${waiting.length} pieces of work may be done a second time. See them with fanfare restore status, then repeat with --yes.`,
    )
  }
  await liftHold(core.db, RESTORED)
  return { released: true }
}

/** Undefined unless the log was restored and nobody has released it yet. */
export async function restoreHold(db: Database): Promise<Hold | undefined> {
  return (await holdsOf(db)).find(({ name }) => name === RESTORED)
}
