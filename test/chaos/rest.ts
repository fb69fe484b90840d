import { setTimeout as wait } from 'node:timers/promises'
import type { Core } from '../../app/wiring/core.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import type { ShownPost } from './evidence.ts'
import { listedPosts, unanswered, untold } from './gather.ts'
import type { OpenHook } from './hooks.ts'
import { answerComments } from './load/comments.ts'
import { retryFailed } from './load/posts.ts'
import type { Scene } from './load/scene.ts'

export interface Resting {
  readonly hooks: readonly OpenHook[]
  readonly feed: { check(): Promise<unknown> }
  /** ms since the epoch */
  readonly quietAt: number
  readonly progress: (line: string) => void
}

const LOOK_EVERY_MS = 500
const TOLD_EVERY_MS = 10_000
const STUCK_AFTER_MS = 120_000
/** Long enough for everything to settle: a lost reply on YouTube is looked for after five and a half minutes. */
const GIVEN_UP_AFTER_MS = 480_000

/** A row of the agenda. One that waits is not due yet: nobody could be at work on it. */
interface Owed {
  readonly id: string
  readonly kind: string
  readonly subject: string
  readonly waits: boolean
}

/**
 * Waits until nothing is owed any more, and has what failed tried again, as users do.
 *
 * @returns what was stuck on the way, and when (ms since the epoch) all had settled
 */
export async function comeToRest(core: Core, scene: Scene, { hooks, feed, quietAt, progress }: Resting) {
  await feed.check()
  // What has failed so far is asked for again at once.
  await retryFailed(scene, await listedPosts(scene.client))
  let stuck: readonly string[] | undefined
  let told = quietAt
  for (;;) {
    const answered = await answerComments(scene)
    const owed = await owedBy(core)
    const isBusy = owed.some(({ waits }) => !waits)
    const isLate = systemClock.now() > quietAt + STUCK_AFTER_MS && stuck === undefined
    // All that there is takes long to read: while somebody is at work it would tell nothing.
    const open = isBusy && !isLate ? undefined : await openBy(scene, hooks, owed)
    const now = systemClock.now()
    if (isLate && open) stuck = [...owed.filter(({ waits }) => !waits).map(({ id }) => id), ...open]
    const asked = open ? answered + (await retryFailed(scene, await listedPosts(scene.client))) : 0
    if (owed.length === 0 && open?.length === 0 && asked === 0) return { settledAt: now, stuck: stuck ?? [] }
    if (now > quietAt + GIVEN_UP_AFTER_MS) {
      const never = [...owed.map(({ id }) => id), ...(open ?? [])]
      return { settledAt: now, stuck: [...new Set([...(stuck ?? []), ...never])] }
    }
    if (now > told + TOLD_EVERY_MS) {
      told = now
      progress(`${owed.length} pending (${kindsOf(owed)})${open?.length ? `; ${open.slice(0, 3).join(', ')}` : ''}`)
    }
    await wait(LOOK_EVERY_MS)
  }
}

/** What users see that is not at its end, and is not owed at a time that is still to come. */
async function openBy(scene: Scene, hooks: readonly OpenHook[], owed: readonly Owed[]): Promise<readonly string[]> {
  const { client, requested } = scene
  const waiting = new Set(owed.filter(({ waits }) => waits).map(({ subject }) => subject))
  const posts = await listedPosts(client)
  const shown = new Set(posts.map(({ caption }) => caption))
  const open = [
    ...posts.filter(({ id, status }: ShownPost) => status === 'processing' && !waiting.has(id)).map(({ id }) => id),
    ...[...requested.posts.keys()].filter((caption) => !shown.has(caption)),
    ...(owed.some(({ kind }) => kind === 'send') ? [] : await unanswered(scene)),
  ]
  return open.length > 0 || owed.length > 0 ? open : untold(client, hooks)
}

/**
 * Rows that are not there for ever, and not of another day. A file that waits is owed nothing yet: a copy for a scheduled post is
 * looked at once a day, and a deleted one again after 15 minutes.
 */
async function owedBy({ db }: Core): Promise<readonly Owed[]> {
  const { rows } = await db.query<Owed>(
    `select id, kind, subject, lease_token is null and greatest(due_at, lease_until) > now() as waits from read.agenda
     where kind not in ('feed', 'comments', 'metrics', 'competitor', 'retain', 'expiry') and due_at < now() + interval '1 hour'
       and not (kind = 'media' and lease_token is null and greatest(due_at, lease_until) > now()) limit 10000`,
  )
  return rows
}

function kindsOf(owed: readonly Owed[]): string {
  const counts = new Map<string, number>()
  for (const { kind, waits } of owed) {
    const name = waits ? `${kind} later` : kind
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([kind, count]) => `${kind} ${count}`).join(', ')
}
