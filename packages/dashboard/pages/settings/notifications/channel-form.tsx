import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent, type ReactNode } from 'react'
import { CheckboxGroup, FieldError, Form, Label } from 'react-aria-components'
import { answered, attemptName, named, type api } from '../../../client/client.ts'
import { useChange } from '../../../client/queries.ts'
import type { Channel, ChannelBody } from '../../../client/types.ts'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Checkbox, Choice, Field, Segments } from '../../../parts/fields.tsx'
import { Problem } from '../../../parts/shown.tsx'
import { OWN_ZONE } from '../../../parts/time.ts'
import { ALL_TOPICS, KINDS, TOPICS, type ChannelKind, type Topic } from './topics.ts'

type Settings = Pick<Channel, 'label' | 'topics' | 'timezone' | 'quietHours' | 'digestAt'>

interface Props {
  readonly client: typeof api
  readonly onDone: () => void
}

export function AddChannel({ client, onDone }: Props) {
  const [kind, setKind] = useState<ChannelKind>('email')
  const [attempt] = useState(attemptName)
  const add = useChange({
    change: (body: ChannelBody) => answered(client.POST('/notification-channels', { body, params: named(attempt) })),
    touches: ['channel'],
    done: ({ status }) =>
      status === 'active' ? t`Added. Send a test to see whether it arrives.` : t`Open the link that was sent there.`,
    onDone,
    showsProblem: true,
  })
  return (
    <SettingsForm
      before={{ label: '', topics: [...ALL_TOPICS], timezone: OWN_ZONE, quietHours: null, digestAt: null }}
      action={t`Add`}
      error={add.error}
      isPending={add.isPending}
      onSubmit={(settings, fields) => {
        const given = [...fields].filter(([name, value]) => ADDRESS.includes(name) && value !== '')
        add.mutate({ kind, ...Object.fromEntries(given), ...settings })
      }}
    >
      <Choice
        label={t`By`}
        value={kind}
        options={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        onChange={(value) => setKind(value as ChannelKind)}
      />
      {FIELDS[kind]}
    </SettingsForm>
  )
}

export function ChangeChannel({ client, channel, onDone }: Props & { readonly channel: Channel }) {
  const change = useChange({
    change: (body: Settings) =>
      answered(client.PATCH('/notification-channels/{id}', { params: { path: { id: channel.id } }, body })),
    touches: ['channel'],
    done: t`Saved.`,
    onDone,
    showsProblem: true,
  })
  return (
    <SettingsForm
      before={channel}
      action={t`Save`}
      error={change.error}
      isPending={change.isPending}
      onSubmit={(settings) => change.mutate(settings)}
    />
  )
}

/** The fields of an address, as the API calls them. */
const ADDRESS = ['address', 'url', 'botToken', 'chat', 'token']

const FIELDS: Readonly<Record<ChannelKind, ReactNode>> = {
  email: (
    <Field
      label={t`Address`}
      name="address"
      type="email"
      isRequired
      hint={t`It first gets a message with a link that confirms it.`}
    />
  ),
  slack: (
    <Field
      label={t`Webhook URL`}
      name="url"
      type="url"
      isRequired
      hint={t`In Slack: create an app, activate Incoming Webhooks, add one to a channel. Mattermost’s work, too.`}
    />
  ),
  discord: (
    <Field
      label={t`Webhook URL`}
      name="url"
      type="url"
      isRequired
      hint={t`In Discord: Edit Channel, Integrations, Webhooks, New Webhook, Copy Webhook URL.`}
    />
  ),
  telegram: (
    <>
      <Field label={t`Bot token`} name="botToken" isRequired hint={t`From @BotFather, after /newbot.`} />
      <Field
        label={t`Chat`}
        name="chat"
        isRequired
        hint={t`The @name of a public channel, or the id of a chat. Write to the bot first, or add it to the group.`}
      />
    </>
  ),
  ntfy: (
    <>
      <Field label={t`Topic URL`} name="url" type="url" placeholder="https://ntfy.sh/…" isRequired />
      <Field label={t`Access token`} name="token" hint={t`Only if the topic requires one.`} />
    </>
  ),
}

function SettingsForm(props: {
  readonly before: Settings
  readonly action: string
  readonly error: Error | null
  readonly isPending: boolean
  readonly onSubmit: (settings: Settings, fields: FormData) => void
  readonly children?: ReactNode
}) {
  const { before, action, error, isPending, onSubmit, children } = props
  const [topics, setTopics] = useState<readonly string[]>(before.topics)
  const [when, setWhen] = useState<'at-once' | 'daily'>(before.digestAt === null ? 'at-once' : 'daily')
  const [isQuiet, setQuiet] = useState(before.quietHours !== null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    const isDaily = when === 'daily'
    onSubmit(
      {
        label: text('label'),
        topics: topics as Topic[],
        timezone: text('timezone'),
        digestAt: isDaily ? text('digestAt') : null,
        quietHours: isQuiet && !isDaily ? { from: text('from'), to: text('to') } : null,
      },
      fields,
    )
  }
  return (
    <Form onSubmit={submit}>
      {error && <Problem error={error} />}
      {children}
      <Field
        label={t`Name`}
        name="label"
        maxLength={100}
        defaultValue={before.label}
        hint={t`Shown in the list. Optional.`}
      />
      <CheckboxGroup className="picker" value={[...topics]} onChange={setTopics} isRequired>
        <Label>
          <Trans>What</Trans>
        </Label>
        {ALL_TOPICS.map((topic) => (
          <Checkbox key={topic} value={topic}>
            {TOPICS[topic]}
          </Checkbox>
        ))}
        <FieldError className="field-error" />
      </CheckboxGroup>
      <Segments
        label={t`When`}
        value={when}
        options={[
          { value: 'at-once', label: t`At once` },
          { value: 'daily', label: t`Once a day` },
        ]}
        onChange={setWhen}
      />
      {when === 'daily' ? (
        <Field label={t`At`} name="digestAt" type="time" isRequired defaultValue={before.digestAt ?? '08:00'} />
      ) : (
        <>
          <Checkbox isSelected={isQuiet} onChange={setQuiet}>
            <Trans>Quiet hours: what happens then is sent afterwards</Trans>
          </Checkbox>
          {isQuiet && (
            <div className="row">
              <Field
                label={t`From`}
                name="from"
                type="time"
                isRequired
                defaultValue={before.quietHours?.from ?? '22:00'}
              />
              <Field label={t`To`} name="to" type="time" isRequired defaultValue={before.quietHours?.to ?? '07:00'} />
            </div>
          )}
        </>
      )}
      {(when === 'daily' || isQuiet) && (
        <Field
          label={t`Time zone`}
          name="timezone"
          isRequired
          defaultValue={before.timezone}
          hint={t`Such as Europe/Berlin.`}
        />
      )}
      {when === 'at-once' && !isQuiet && <input type="hidden" name="timezone" value={before.timezone} />}
      <Actions>
        <Button look="main" type="submit" isPending={isPending} isDisabled={topics.length === 0}>
          {action}
        </Button>
      </Actions>
    </Form>
  )
}
