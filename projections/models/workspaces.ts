import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { SlotPlan } from '../../domain/core/slot-plan.ts'
import type { ApprovalPolicy } from '../../domain/workspace/approval-policy.ts'
import { workspace } from '../../domain/workspace/workspace.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { integer, json, text, time, rowFrom, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  name: text(),
  /** The name that it began with. */
  firstName: text(),
  createdAt: time(),
  /** When its erasure was requested. */
  closedAt: time<string | null>(),
  slots: json<SlotPlan | null>(),
  approvalPolicy: json<ApprovalPolicy | null>(),
  undoSeconds: integer(),
  voice: text(),
}
export type WorkspaceRow = RowOf<typeof columns>

const ROW = rowFrom(columns)

export const workspaces: Projection<WorkspaceRow> = {
  name: 'workspaces',
  version: 7,
  columns,
  createsRow: atStreamStart,
  indexes: ['(name)'],
  rowIds: (event) => (eventOf(workspace, event) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(workspace, recorded)
    const { at } = recorded.metadata
    switch (event?.type) {
      case 'WorkspaceCreated':
        return {
          ...{ id, name: event.data.name, firstName: event.data.name, createdAt: at, closedAt: null },
          ...{ slots: null, approvalPolicy: null, undoSeconds: 0, voice: '' },
        }
      case 'WorkspaceRenamed':
        return row && { ...row, name: event.data.name }
      case 'WorkspaceClosed':
        return row && { ...row, closedAt: at }
      case 'WorkspaceErased':
        return undefined
      case 'SlotsSet':
        return row && { ...row, slots: event.data }
      case 'ApprovalPolicySet':
        return row && { ...row, approvalPolicy: event.data }
      case 'UndoSet':
        return row && { ...row, undoSeconds: event.data.seconds }
      case 'VoiceSet':
        return row && { ...row, voice: event.data.text }
      case undefined:
        return row
    }
  },
}

/** All of them, by name. */
export async function listWorkspaces(db: Database): Promise<readonly WorkspaceRow[]> {
  const { rows } = await db.query<WorkspaceRow>(`select ${ROW} from read.workspaces order by name, id`)
  return rows
}

/** The workspaces with this id or name: names are not enforced to be unique. */
export async function findWorkspaces(db: Database, idOrName: string): Promise<readonly WorkspaceRow[]> {
  const { rows } = await db.query<WorkspaceRow>(
    `select ${ROW} from read.workspaces where id = $1 or name = $1 order by id`,
    [idOrName],
  )
  return rows
}

/** The workspaces that began with this name, oldest first, whatever they are called now. */
export async function workspacesBegunAs(db: Database, name: string): Promise<readonly WorkspaceRow[]> {
  const { rows } = await db.query<WorkspaceRow>(
    `select ${ROW} from read.workspaces where first_name = $1 order by created_at, id`,
    [name],
  )
  return rows
}

/** Undefined if none were set. */
export async function findSlots(db: Database, workspaceId: string): Promise<SlotPlan | undefined> {
  const { rows } = await db.query<{ slots: SlotPlan | null }>('select slots from read.workspaces where id = $1', [
    workspaceId,
  ])
  return rows[0]?.slots ?? undefined
}

/** Undefined if none was set. */
export async function findApprovalPolicy(db: Database, workspaceId: string): Promise<ApprovalPolicy | undefined> {
  const { rows } = await db.query<{ policy: ApprovalPolicy | null }>(
    'select approval_policy as policy from read.workspaces where id = $1',
    [workspaceId],
  )
  return rows[0]?.policy ?? undefined
}

/** How long (s) posts that would be published at once can be taken back first. */
export async function findUndoSeconds(db: Database, workspaceId: string): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    'select undo_seconds as seconds from read.workspaces where id = $1',
    [workspaceId],
  )
  return rows[0]?.seconds ?? 0
}

/** How texts of the workspace are to be written; empty if nobody has said so. */
export async function findVoice(db: Database, workspaceId: string): Promise<string> {
  const { rows } = await db.query<{ voice: string }>('select voice from read.workspaces where id = $1', [workspaceId])
  return rows[0]?.voice ?? ''
}

/** How much an erasure of the whole workspace would erase. */
export async function sizeOfWorkspace(
  db: Database,
  workspaceId: string,
): Promise<{ readonly accounts: number; readonly posts: number; readonly comments: number; readonly users: number }> {
  const count = (table: string, which = 'true') =>
    `(select count(*)::int from read.${table} where workspace_id = $1 and ${which}) as ${table}`
  const { rows } = await db.query(
    `select ${count('accounts', 'connected')}, ${count('posts')}, ${count('comments')}, 
      (select count(distinct m.user_id)::int from read.members m join read.users u on u.id = m.user_id
        where m.workspace_id = $1 and not m.removed and not u.ended) as users`,
    [workspaceId],
  )
  return rows[0]
}

/** Whether posts are being published, or charges refunded. */
export async function isBusy(db: Database, workspaceId: string): Promise<boolean> {
  const { rows } = await db.query<{ busy: boolean }>(
    `select exists (select from read.posts where workspace_id = $1 and status = 'processing')
       or exists (select from read.agenda where lane = 'refund/' || $1) as busy`,
    [workspaceId],
  )
  return rows[0]?.busy ?? false
}
