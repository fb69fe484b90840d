import type { UserEvent } from '../../workspace/user.ts'
import { quoted, sentence } from './wording.ts'

export function describeUser(event: UserEvent): string {
  switch (event.type) {
    case 'UserCreated':
      return sentence(
        `The user ${quoted(event.data.name)} was created for workspace ${event.data.workspaceId} as ${event.data.role}`,
      )
    case 'UserRoleChanged':
      return `The role was changed to ${event.data.role}.`
    case 'UserPasswordChanged':
      return event.data.linkId === undefined
        ? 'The password was changed, and the user was signed out everywhere else.'
        : 'The user chose a new password with a reset link, and was signed out everywhere else.'
    case 'UserResetLinkCreated':
      return sentence(`A link to choose a new password was made, until ${event.data.expiresAt}`)
    case 'UserResetLinkRevoked':
      return 'The link to choose a new password was revoked.'
    case 'UserTotpEnabled':
      return 'Two-step sign-in was turned on.'
    case 'UserTotpDisabled':
      return 'Two-step sign-in was turned off.'
    case 'UserRecoveryCodeUsed':
      return `The user signed in with a recovery code; ${event.data.left} are left.`
    case 'UserIdentityLinked':
      return sentence(`Single sign-on was linked, at ${event.data.issuer}`)
    case 'UserIdentityUnlinked':
      return 'Single sign-on was unlinked.'
    case 'UserLeftWorkspace':
      return 'The user was removed from the workspace, and is still in others.'
    case 'UserRemoved':
      return 'The user was removed.'
    case 'PersonalDataErased':
      return 'The name of the user was erased.'
  }
}
