import type { InvitationEvent } from '../../workspace/invitation.ts'
import { quoted, sentence } from './wording.ts'

export function describeInvitation(event: InvitationEvent): string {
  switch (event.type) {
    case 'InvitationCreated': {
      const { role, label, expiresAt } = event.data
      const whom = label === '' ? 'Somebody' : quoted(label)
      return sentence(`${whom} was invited as ${role}, until ${expiresAt}`)
    }
    case 'InvitationAccepted':
      return sentence(`The invitation was accepted by ${event.data.userId}`)
    case 'InvitationRevoked':
      return 'The invitation was revoked.'
  }
}
