import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../../client/queries.ts'
import { securityApi } from '../../../client/security-api.ts'
import { teamApi } from '../../../client/team-api.ts'
import type { User } from '../../../client/types.ts'
import { Actions } from '../../../parts/buttons.tsx'
import { Irrevocable } from '../../../parts/irrevocable.tsx'
import { managedBy, ROLE_NAMES } from '../../../parts/roles.ts'
import { Loading, Moment, Problem, Status } from '../../../parts/shown.tsx'
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
          {isSelf && <Status of={t`You`} />}
          {!isManaged && <span className="muted">{ROLE_NAMES[role]}</span>}
        </div>
        <p className="hint">
          {resetLinkUntil ? (
            <Trans>
              Since <Moment at={createdAt} />, reset link works until <Moment at={resetLinkUntil} />
            </Trans>
          ) : (
            <Trans>
              Since <Moment at={createdAt} />
            </Trans>
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
              action={t`Turn off two-step sign-in`}
              name={t`Turn off two-step sign-in of ${name}`}
              title={t`Turn off two-step sign-in of ${name}?`}
              change={() => securityApi.disableTotpOf(id)}
              touches={['user']}
              done={t`Two-step sign-in of ${name} is off.`}
            >
              <Trans>
                The password alone then signs {name} in. Do this only if they have lost their app and recovery codes.
              </Trans>
            </Irrevocable>
          )}
          {resetLinkUntil && (
            <Irrevocable
              small
              action={t`Revoke link`}
              name={t`Revoke the reset link of ${name}`}
              title={t`Revoke the reset link of ${name}?`}
              change={() => securityApi.revokeResetLink(id)}
              touches={['user']}
              done={t`The link is revoked.`}
            >
              <Trans>It stops working at once. The password stays as it is.</Trans>
            </Irrevocable>
          )}
          <Irrevocable
            small
            action={t`Remove`}
            name={t`Remove ${name}`}
            title={isSelf ? t`Remove yourself?` : t`Remove ${name}?`}
            change={() => teamApi.removeUser(id)}
            touches={['user']}
            done={t`${name} is removed.`}
          >
            {isSelf ? (
              <Trans>
                You are signed out everywhere and cannot sign in again. Posts, replies and other work stay. To come back
                takes another invitation.
              </Trans>
            ) : (
              <Trans>
                {name} is signed out everywhere and cannot sign in again. Posts, replies and other work stay. To come
                back takes another invitation.
              </Trans>
            )}
          </Irrevocable>
        </Actions>
      )}
    </li>
  )
}
