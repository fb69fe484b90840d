import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { draft, type DraftContent, type SavedDraft } from '../../domain/post/draft.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { json, rowFrom, text, time, type RowOf } from '../engine/columns.ts'
import type { WorkspacePage } from '../engine/newest-first.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  workspaceId: text(),
  /** The id of a key or a user. */
  authorId: text(),
  visibility: text<SavedDraft['visibility']>(),
  content: json<DraftContent>(),
  /** The post that it became. */
  postId: text<string | null>(),
  createdAt: time(),
  updatedAt: time(),
}
export type DraftRow = RowOf<typeof columns>

export const drafts: Projection<DraftRow> = {
  name: 'drafts',
  version: 1,
  columns,
  createsRow: atStreamStart,
  indexes: ['(workspace_id, created_at desc, id desc)'],
  rowIds: (recorded) => (eventOf(draft, recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(draft, recorded)
    const updatedAt = recorded.metadata.at
    switch (event?.type) {
      case 'DraftSaved':
        return { id, ...event.data, postId: null, updatedAt }
      case 'DraftPublished':
        return row && { ...row, postId: event.data.postId, updatedAt }
      case 'DraftDeleted':
        return undefined
      default:
        return row
    }
  },
}

export async function findDraft(db: Database, id: string): Promise<DraftRow | undefined> {
  const { rows } = await db.query<DraftRow>(`select ${rowFrom(columns)} from read.drafts where id = $1`, [id])
  return rows[0]
}

/**
 * Drafts that are not posts yet, newest first.
 *
 * @param readerId the id of a key or a user, who also sees their private ones; undefined: all of the workspace
 */
export async function listDrafts(
  db: Database,
  { workspaceId, limit, after }: WorkspacePage,
  readerId: string | undefined,
): Promise<readonly DraftRow[]> {
  const { rows } = await db.query<DraftRow>(
    `select ${rowFrom(columns)} from read.drafts
     where workspace_id = $1 and post_id is null and ($5::text is null or visibility = 'workspace' or author_id = $5)
       and ($2::timestamptz is null or (created_at, id) < ($2, $3))
     order by created_at desc, id desc limit $4`,
    [workspaceId, after?.at ?? null, after?.id ?? null, limit, readerId ?? null],
  )
  return rows
}
