import { useState } from 'react'
import { useChange, useSession } from '../../client/queries.ts'
import type { Role } from '../../client/session-api.ts'
import { teamApi } from '../../client/team-api.ts'
import type { User } from '../../client/types.ts'
import { Confirm } from '../../parts/dialogs.tsx'
import { Choice } from '../../parts/fields.tsx'
import { managedBy, ROLES } from '../../parts/roles.ts'

/** Changes the role of a user at once; the user's own only after a confirmation. */
export function RoleChoice({ user: { id, name, role } }: { readonly user: User }) {
  const { user: own } = useSession()
  const [asked, setAsked] = useState<Role>()
  const change = useChange({
    change: (next: Role) => teamApi.changeRole(id, next),
    touches: ['user', 'session'],
    done: (changed) => `${changed.name} is now ${changed.role}.`,
    onDone: () => setAsked(undefined),
  })
  const choose = (next: string) => (id === own.id ? setAsked(next as Role) : change.mutate(next as Role))
  return (
    <>
      <Choice
        label={`Role of ${name}`}
        isLabelHidden
        value={change.isPending ? change.variables : role}
        options={managedBy(own.role).map((value) => ({ value, label: value }))}
        onChange={choose}
      />
      <Confirm
        title="Change your own role?"
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        action="Change my role"
        isPending={change.isPending}
        onConfirm={() => asked && change.mutate(asked)}
      >
        <p>
          Your role becomes {asked}. {asked && ROLES[asked]} Only another owner can make you an owner again.
        </p>
      </Confirm>
    </>
  )
}
