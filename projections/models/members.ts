import { ERASED } from '../../domain/core/personal-data.ts'
import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import { member } from '../../domain/workspace/member.ts'
import type { UserRole } from '../../domain/workspace/role.ts'
import { user } from '../../domain/workspace/user.ts'
import { boolean, text, time, type RowOf } from '../engine/columns.ts'
import { atStreamStart, type Projection } from '../engine/projection.ts'

/** Of a user in one workspace. */
export const memberColumns = {
  /** Of the stream that says so: the user's own, or that of a member. */
  id: text(),
  workspaceId: text(),
  userId: text(),
  name: text(),
  role: text<UserRole>(),
  removed: boolean(),
  createdAt: time(),
}
type MemberRow = RowOf<typeof memberColumns>

/** Who is in which workspace. Removed members are kept, because what they did is. */
export const members: Projection<MemberRow> = {
  name: 'members',
  version: 1,
  columns: memberColumns,
  createsRow: atStreamStart,
  indexes: ['(workspace_id, user_id)', '(user_id)'],
  rowIds: (event) => ((eventOf(user, event) ?? eventOf(member, event)) ? [parseStreamName(event.stream).id] : []),
  apply: (row, recorded, id) => {
    const event = eventOf(user, recorded) ?? eventOf(member, recorded)
    const { at: createdAt } = recorded.metadata
    switch (event?.type) {
      case 'UserCreated': {
        const { workspaceId, name, role } = event.data
        return { id, workspaceId, userId: id, name, role, removed: false, createdAt }
      }
      case 'MemberJoined': {
        const { workspaceId, userId, name, role } = event.data
        return { id, workspaceId, userId, name, role, removed: false, createdAt }
      }
      case 'UserRoleChanged':
      case 'MemberRoleChanged':
        return row && { ...row, role: event.data.role }
      case 'UserLeftWorkspace':
      case 'UserRemoved':
      case 'MemberRemoved':
        return row && { ...row, removed: true }
      case 'PersonalDataErased':
        return row && { ...row, name: ERASED }
      default:
        return row
    }
  },
}
