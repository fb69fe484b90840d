import { finalText } from '../../domain/post/caption.ts'
import { targetId, type TargetKey } from '../../domain/post/post.ts'
import { noteLook, type Look, type DueRow } from '../../infra/postgres/restores.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { lookForPost, type LookDeps, type PostLook } from './look-for-post.ts'
import { settleFound, tokenOf } from './look-for-publish.ts'
import type { Examined } from './look.ts'
import type { Planned } from './planned-post.ts'

type Deps = LookDeps & { readonly db: Database }

/**
 * Looks for the post on each of its accounts. If it is on any, or that cannot be determined, the post is created now, so that
 * each account can be settled. If it is on none, its reactor creates it after the release.
 */
export async function lookForPlanned(
  deps: Deps,
  row: DueRow,
  planned: Planned,
  signal: AbortSignal,
): Promise<Examined> {
  const { postId, content, dueAt, notSearchable } = planned
  const { workspaceId } = content
  const keys = keysOf(planned)
  const about = { workspaceId, text: finalText(content, keys[0]?.platform ?? ''), dueAt }
  const looks: { readonly key: TargetKey; readonly look: PostLook }[] = []
  for (const key of keys) {
    const sought = { postId, workspaceId, ...key, content: { ...content, queuedAt: dueAt }, token: tokenOf(deps, row) }
    const look: PostLook =
      notSearchable === undefined
        ? await lookForPost(deps, sought, signal)
        : { outcome: 'unknown', reason: notSearchable }
    // Retry all accounts once the platform can be reached: a post is never created for some of them only.
    if (look.outcome === 'unreachable') return { about, look }
    looks.push({ key, look })
  }
  if (looks.every(({ look }) => look.outcome === 'absent')) return { about, look: { outcome: 'absent' } }
  await make(
    deps,
    planned,
    looks.map(({ key, look }) => ({ key, look: 'found' in look ? FOUND : look })),
  )
  for (const { key, look } of looks) {
    if (!('found' in look)) continue
    await settleFound(deps, postId, key, look)
    // The other parts of a chain are looked for next.
    if (!content.chain) await noteLook(deps.db, workOn(planned, key), { outcome: 'found' })
  }
  return { about, look: { outcome: 'found' } }
}

/** Creates the post after noting each account's look: otherwise it would count as new, being created after the restore. */
async function make(
  deps: Deps,
  planned: Planned,
  looks: readonly { readonly key: TargetKey; readonly look: Look }[],
): Promise<void> {
  for (const { key, look } of looks) await noteLook(deps.db, workOn(planned, key), look)
  await planned.make()
}

function workOn({ postId, content, dueAt }: Planned, key: TargetKey): Parameters<typeof noteLook>[1] {
  const { workspaceId } = content
  const id = `publish:${postId}:${targetId(key)}`
  return { id, kind: 'publish', subject: postId, workspaceId, ...key, text: finalText(content, key.platform), dueAt }
}

/** A post that is not settled because of a crash is looked for again. */
const FOUND: Look = { outcome: 'unreachable', reason: 'It was found and is being settled.', lookAt: 0 }

/**
 * Creates a post that could not be looked for, so that each of its accounts can be settled.
 *
 * @returns its accounts
 */
export async function makeUnknown(deps: Deps, planned: Planned, reason: string): Promise<readonly TargetKey[]> {
  const keys = keysOf(planned)
  await make(
    deps,
    planned,
    keys.map((key) => ({ key, look: { outcome: 'unknown', reason } })),
  )
  return keys
}

function keysOf({ content }: Planned): readonly TargetKey[] {
  return Object.entries(content.selections).flatMap(([platform, accountIds]) =>
    [...new Set(accountIds)].map((accountId) => ({ platform, accountId })),
  )
}
