import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useChange, useSession } from '../../../client/queries.ts'
import type { Role } from '../../../client/session-api.ts'
import { teamApi } from '../../../client/team-api.ts'
import type { User } from '../../../client/types.ts'
import { Confirm } from '../../../parts/dialogs.tsx'
import { Choice } from '../../../parts/fields.tsx'
import { managedBy, ROLE_NAMES, ROLES } from '../../../parts/roles.ts'

/** Changes the role of a user at once; the user's own only after a confirmation. */
export function RoleChoice({ user: { id, name, role } }: { readonly user: User }) {
  const { user: own } = useSession()
  const [asked, setAsked] = useState<Role>()
  const change = useChange({
    change: (next: Role) => teamApi.changeRole(id, next),
    touches: ['user', 'session'],
    done: (changed) => t`${{ name: changed.name }} is now ${{ role: ROLE_NAMES[changed.role] }}.`,
    onDone: () => setAsked(undefined),
  })
  const choose = (next: string) => (id === own.id ? setAsked(next as Role) : change.mutate(next as Role))
  return (
    <>
      <Choice
        label={t`Role of ${name}`}
        isLabelHidden
        value={change.isPending ? change.variables : role}
        options={managedBy(own.role).map((value) => ({ value, label: ROLE_NAMES[value] }))}
        onChange={choose}
      />
      <Confirm
        title={t`Change your own role?`}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        action={t`Change my role`}
        isPending={change.isPending}
        onConfirm={() => asked && change.mutate(asked)}
      >
        <p>
          {asked && (
            <Trans>
              Your role becomes {{ role: ROLE_NAMES[asked] }}. {{ meaning: ROLES[asked] }} Only another owner can make
              you an owner again.
            </Trans>
          )}
        </p>
      </Confirm>
    </>
  )
}
