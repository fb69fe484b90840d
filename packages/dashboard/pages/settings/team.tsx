import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useSession } from '../../client/queries.ts'
import { Button } from '../../parts/buttons.tsx'
import { Segments } from '../../parts/fields.tsx'
import { Page } from '../../parts/page.tsx'
import { Secret } from '../../parts/secret.tsx'
import { Card } from '../../parts/shown.tsx'
import { useUrlState } from '../../parts/url-state.ts'
import { Activity } from './team/activity.tsx'
import { Invitations } from './team/invitations.tsx'
import { Invite } from './team/invite.tsx'
import { Users } from './team/users.tsx'

export default function Team() {
  const [show, setShow] = useUrlState<'users' | 'activity'>('show', 'users')
  const [isInviting, setInviting] = useState(false)
  const [link, setLink] = useState<string>()
  const mayInvite = useSession().permissions.includes('users:write')
  const invite = (
    <Button look="main" onPress={() => setInviting(true)}>
      <Trans>Invite</Trans>
    </Button>
  )
  return (
    <Page
      title={t`Team`}
      intro={t`The users of this workspace, what they may do, and who did what.`}
      actions={mayInvite && invite}
    >
      <Segments
        label={t`Users or activity`}
        value={show}
        options={[
          { value: 'users', label: t`Users` },
          { value: 'activity', label: t`Activity` },
        ]}
        onChange={setShow}
      />
      {show === 'activity' && <Activity />}
      {show === 'users' && (
        <Card title={t`Users`}>
          <Users />
        </Card>
      )}
      {show === 'users' && mayInvite && (
        <Card title={t`Open invitations`}>
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
        title={t`Invitation link`}
        secret={link}
        hint={t`Anyone with this link can join, once. Copy it now: it is not shown again.`}
        onClose={() => setLink(undefined)}
      />
    </Page>
  )
}
