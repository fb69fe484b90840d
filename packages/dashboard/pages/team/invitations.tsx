import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../client/queries.ts'
import { teamApi } from '../../client/team-api.ts'
import type { Invitation } from '../../client/types.ts'
import { Irrevocable } from '../../parts/irrevocable.tsx'
import { managedBy } from '../../parts/roles.ts'
import { Empty, Loading, Moment, Problem, Status } from '../../parts/shown.tsx'

export function Invitations() {
  const invitations = useQuery({
    queryKey: ['invitation', 'list'],
    queryFn: teamApi.invitations,
  })
  return (
    <>
      {invitations.error && <Problem error={invitations.error} onRetry={() => void invitations.refetch()} />}
      {invitations.isPending && <Loading />}
      {invitations.data?.length === 0 && (
        <Empty title="No open invitations">
          Invite somebody to get a link with which one person joins. Used and expired links are not listed.
        </Empty>
      )}
      <ul className="items">
        {invitations.data?.map((invitation) => (
          <InvitationItem key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </>
  )
}

function InvitationItem({ invitation }: { readonly invitation: Invitation }) {
  const { id, role, label, invitedBy, expiresAt } = invitation
  const { user: own } = useSession()
  const name = label || `Invitation of ${role}`
  return (
    <li>
      <div className="item-body">
        <div className="item-line">
          <strong>{label || 'No label'}</strong> <Status of={role} />
        </div>
        <p className="hint">
          Invited by {invitedBy}, expires <Moment at={expiresAt} />
        </p>
      </div>
      {managedBy(own.role).includes(role) && (
        <Irrevocable
          small
          action="Revoke"
          name={`Revoke ${name}`}
          title={label ? `Revoke the invitation for ${label}?` : 'Revoke this invitation?'}
          change={() => teamApi.revokeInvitation(id)}
          touches={['invitation']}
          done="The invitation is revoked."
        >
          Its link stops working at once. This cannot be undone.
        </Irrevocable>
      )}
    </li>
  )
}
