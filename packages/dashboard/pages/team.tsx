import { useState } from 'react'
import { useSession } from '../client/queries.ts'
import { Button } from '../parts/buttons.tsx'
import { Page } from '../parts/page.tsx'
import { Secret } from '../parts/secret.tsx'
import { Card } from '../parts/shown.tsx'
import { ApprovalPolicy } from './team/approval-policy.tsx'
import { Invitations } from './team/invitations.tsx'
import { Invite } from './team/invite.tsx'
import { Users } from './team/users.tsx'

export default function Team() {
  const [isInviting, setInviting] = useState(false)
  const [link, setLink] = useState<string>()
  const mayInvite = useSession().permissions.includes('users:write')
  const invite = (
    <Button look="main" onPress={() => setInviting(true)}>
      Invite
    </Button>
  )
  return (
    <Page title="Team" intro="The users of this workspace, and what they may do." actions={mayInvite && invite}>
      <Card title="Users">
        <Users />
      </Card>
      <Card title="Approval">
        <ApprovalPolicy />
      </Card>
      {mayInvite && (
        <Card title="Open invitations">
          <Invitations />
        </Card>
      )}
      <Invite
        isOpen={isInviting}
        onClose={() => setInviting(false)}
        onInvited={(created) => {
          setInviting(false)
          setLink(created)
        }}
      />
      <Secret
        title="Invitation link"
        secret={link}
        hint="Anyone with this link can join, once. Copy it now: it is not shown again."
        onClose={() => setLink(undefined)}
      />
    </Page>
  )
}
