import type { MemberEvent } from '../../workspace/member.ts'
import { quoted, sentence } from './wording.ts'

export function describeMember(event: MemberEvent): string {
  switch (event.type) {
    case 'MemberJoined': {
      const { name, workspaceId, role } = event.data
      return sentence(`The user ${quoted(name)} joined workspace ${workspaceId} as ${role}`)
    }
    case 'MemberRoleChanged':
      return `The role was changed to ${event.data.role}.`
    case 'MemberRemoved':
      return 'The user was removed from the workspace.'
    case 'PersonalDataErased':
      return 'The name of the user was erased.'
  }
}
