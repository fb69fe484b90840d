import { eventOf, parseStreamName, type RecordedEvent } from '../core/event.ts'
import { member } from '../workspace/member.ts'
import { user } from '../workspace/user.ts'

/** Which workspaces each user is in, from all events of a log in order. */
export function createPlaces() {
  const users = new Map<string, Map<string, string>>()
  const userOf = new Map<string, string>()
  const everIn = new Map<string, Set<string>>()

  const put = (userId: string, stream: string, workspaceId: string) => {
    userOf.set(stream, userId)
    everIn.set(workspaceId, (everIn.get(workspaceId) ?? new Set()).add(userId))
    users.set(userId, (users.get(userId) ?? new Map<string, string>()).set(stream, workspaceId))
  }
  return {
    meet: (recorded: RecordedEvent) => {
      const { stream } = recorded
      const event = eventOf(user, recorded) ?? eventOf(member, recorded)
      switch (event?.type) {
        case 'UserCreated':
          return put(parseStreamName(stream).id, stream, event.data.workspaceId)
        case 'MemberJoined':
          return put(event.data.userId, stream, event.data.workspaceId)
        case 'UserLeftWorkspace':
        case 'MemberRemoved':
          return void users.get(userOf.get(stream) ?? '')?.delete(stream)
        case 'UserRemoved':
          return void users.delete(parseStreamName(stream).id)
        default:
          return undefined
      }
    },
    /** Who is, or was, in a workspace. */
    usersOf: (workspaceId: string): ReadonlySet<string> => everIn.get(workspaceId) ?? new Set(),
    isElsewhere: (userId: string, workspaceId: string): boolean =>
      [...(users.get(userId)?.values() ?? [])].some((other) => other !== workspaceId),
  }
}
