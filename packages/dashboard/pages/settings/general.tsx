import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange, useSession } from '../../client/queries.ts'
import { workspaceApi, type Workspace } from '../../client/workspace-api.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Choice, Field } from '../../parts/fields.tsx'
import { Page } from '../../parts/page.tsx'
import { Card, Loading, Moment, Problem } from '../../parts/shown.tsx'
import { ZONES, zoneName } from '../../parts/time.ts'
import { useWorkspace } from './workspace.ts'

const MOST_CHARS = 100

export default function General() {
  const workspace = useWorkspace()
  const mayChange = useSession().permissions.includes('users:write')
  const { data } = workspace
  return (
    <Page title={t`General`} intro={t`The name and time zone of this workspace, for everyone in it.`}>
      <Card>
        {workspace.isPending && <Loading lines={3} />}
        {workspace.error && <Problem error={workspace.error} onRetry={() => void workspace.refetch()} />}
        {data && mayChange && <Change key={`${data.name} ${data.timezone}`} saved={data} />}
        {data && (
          <dl className="of-workspace">
            {!mayChange && (
              <>
                <dt>
                  <Trans>Name</Trans>
                </dt>
                <dd>{data.name}</dd>
                <dt>
                  <Trans>Time zone</Trans>
                </dt>
                <dd>{data.timezone === null ? t`Not set` : zoneName(data.timezone)}</dd>
              </>
            )}
            <dt>
              <Trans>Workspace ID</Trans>
            </dt>
            <dd className="code">{data.id}</dd>
            <dt>
              <Trans>Created</Trans>
            </dt>
            <dd>
              <Moment at={data.createdAt} />
            </dd>
          </dl>
        )}
      </Card>
    </Page>
  )
}

function Change({ saved }: { readonly saved: Workspace }) {
  const [name, setName] = useState(saved.name)
  const [timezone, setTimezone] = useState(saved.timezone ?? '')
  const next = name.trim()
  const changes = {
    ...(next !== saved.name && { name: next }),
    ...(timezone !== (saved.timezone ?? '') && { timezone }),
  }
  const save = useChange({
    change: () => workspaceApi.changeWorkspace(changes),
    touches: ['workspace', 'session', 'slots'],
    done: t`Saved.`,
    showsProblem: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(undefined)
  }
  const unset = saved.timezone === null ? [{ value: '', label: t`Not set` }] : []
  return (
    <Form onSubmit={submit} className="stack narrow">
      {save.error && <Problem error={save.error} />}
      <Field label={t`Name`} value={name} onChange={setName} maxLength={MOST_CHARS} isRequired autoComplete="off" />
      <Choice
        label={t`Time zone`}
        hint={t`Slots are in this zone. Other times are shown in the zone of your browser.`}
        value={timezone}
        options={[...unset, ...ZONES]}
        onChange={setTimezone}
      />
      <Actions>
        <Button
          look="main"
          type="submit"
          isPending={save.isPending}
          isDisabled={next === '' || Object.keys(changes).length === 0}
        >
          <Trans>Save</Trans>
        </Button>
      </Actions>
    </Form>
  )
}
