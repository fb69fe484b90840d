import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../../client/queries.ts'
import { teamApi } from '../../../client/team-api.ts'
import type { Invitation } from '../../../client/types.ts'
import { Irrevocable } from '../../../parts/irrevocable.tsx'
import { managedBy, ROLE_NAMES } from '../../../parts/roles.ts'
import { Empty, Loading, Moment, Problem, Status } from '../../../parts/shown.tsx'

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
        <Empty title={t`No open invitations`}>
          <Trans>
            Invite somebody to get a link with which one person joins. Used and expired links are not listed.
          </Trans>
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
  const name = label || t`Invitation of ${{ role: ROLE_NAMES[role] }}`
  return (
    <li>
      <div className="item-body">
        <div className="item-line">
          <strong>{label || t`No label`}</strong> <Status of={ROLE_NAMES[role]} />
        </div>
        <p className="hint">
          <Trans>
            Invited by {invitedBy}, expires <Moment at={expiresAt} />
          </Trans>
        </p>
      </div>
      {managedBy(own.role).includes(role) && (
        <Irrevocable
          small
          action={t`Revoke`}
          name={t`Revoke ${name}`}
          title={label ? t`Revoke the invitation for ${label}?` : t`Revoke this invitation?`}
          change={() => teamApi.revokeInvitation(id)}
          touches={['invitation']}
          done={t`The invitation is revoked.`}
        >
          <Trans>Its link stops working at once. This cannot be undone.</Trans>
        </Irrevocable>
      )}
    </li>
  )
}
