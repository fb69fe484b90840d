import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../client/queries.ts'
import { securityApi } from '../../client/security-api.ts'
import { teamApi } from '../../client/team-api.ts'
import type { User } from '../../client/types.ts'
import { Actions } from '../../parts/buttons.tsx'
import { Irrevocable } from '../../parts/irrevocable.tsx'
import { managedBy } from '../../parts/roles.ts'
import { Loading, Moment, Problem, Status } from '../../parts/shown.tsx'
import { ResetPassword } from './reset-password.tsx'
import { RoleChoice } from './role-choice.tsx'

export function Users() {
  const users = useQuery({ queryKey: ['user'], queryFn: teamApi.users })
  return (
    <>
      {users.error && <Problem error={users.error} onRetry={() => void users.refetch()} />}
      {users.isPending && <Loading />}
      <ul className="items">
        {users.data?.map((user) => (
          <UserItem key={user.id} user={user} />
        ))}
      </ul>
    </>
  )
}

function UserItem({ user }: { readonly user: User }) {
  const { id, name, role, createdAt, totp, resetLinkUntil } = user
  const { user: own } = useSession()
  const isSelf = id === own.id
  const isManaged = managedBy(own.role).includes(role)
  return (
    <li>
      <div className="item-body">
        <div className="item-line">
          <strong>{name}</strong>
          {isSelf && <Status of="You" />}
          {!isManaged && <span className="muted">{role}</span>}
        </div>
        <p className="hint">
          Since <Moment at={createdAt} />
          {resetLinkUntil && (
            <>
              , reset link works until <Moment at={resetLinkUntil} />
            </>
          )}
        </p>
      </div>
      {isManaged && (
        <Actions>
          <RoleChoice user={user} />
          {!isSelf && <ResetPassword user={user} />}
          {totp && !isSelf && (
            <Irrevocable
              small
              action="Turn off two-step sign-in"
              name={`Turn off two-step sign-in of ${name}`}
              title={`Turn off two-step sign-in of ${name}?`}
              change={() => securityApi.disableTotpOf(id)}
              touches={['user']}
              done={`Two-step sign-in of ${name} is off.`}
            >
              The password alone then signs {name} in. Do this only if they have lost their app and recovery codes.
            </Irrevocable>
          )}
          {resetLinkUntil && (
            <Irrevocable
              small
              action="Revoke link"
              name={`Revoke the reset link of ${name}`}
              title={`Revoke the reset link of ${name}?`}
              change={() => securityApi.revokeResetLink(id)}
              touches={['user']}
              done="The link is revoked."
            >
              It stops working at once. The password stays as it is.
            </Irrevocable>
          )}
          <Irrevocable
            small
            action="Remove"
            name={`Remove ${name}`}
            title={isSelf ? 'Remove yourself?' : `Remove ${name}?`}
            change={() => teamApi.removeUser(id)}
            touches={['user']}
            done={`${name} is removed.`}
          >
            {isSelf ? 'You are' : `${name} is`} signed out everywhere and cannot sign in again. Posts, replies and other
            work stay. To come back takes another invitation.
          </Irrevocable>
        </Actions>
      )}
    </li>
  )
}
