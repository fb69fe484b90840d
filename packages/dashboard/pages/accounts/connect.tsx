import { useId, useState, type FormEvent, type ReactNode } from 'react'
import { Form } from 'react-aria-components'
import { useChange, usePlatforms } from '../../client/queries.ts'
import { sessionApi, type ConnectBody, type CredentialField, type Platform } from '../../client/session-api.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Choice, Field, Segments } from '../../parts/fields.tsx'
import { Loading, Problem } from '../../parts/shown.tsx'

/**
 * Connects an account: by its owner's consent on the platform, where that is set up, or by credentials.
 *
 * @param props.first the platform that is selected initially
 */
export function Connect({ first, onClose }: { readonly first: string | undefined; readonly onClose: () => void }) {
  const platforms = usePlatforms()
  const [chosen, setChosen] = useState(first)
  const platform = platforms.data?.find(({ key }) => key === chosen) ?? platforms.data?.[0]
  return (
    <Dialog title="Connect an account" isOpen onClose={onClose}>
      {platforms.isPending && <Loading />}
      {platforms.error && <Problem error={platforms.error} onRetry={() => void platforms.refetch()} />}
      {platform && (
        <>
          <Choice
            label="Platform"
            value={platform.key}
            options={platforms.data?.map(({ key, name }) => ({ value: key, label: name })) ?? []}
            onChange={setChosen}
          />
          {/* Remounts per platform, so that input for one is never sent to another. */}
          <Ways key={platform.key} platform={platform} onDone={onClose} />
        </>
      )}
    </Dialog>
  )
}

function Ways({ platform, onDone }: { readonly platform: Platform; readonly onDone: () => void }) {
  const { name, browser, browserHint } = platform
  const [way, setWay] = useState<'consent' | 'credentials'>(browser ? 'consent' : 'credentials')
  return (
    <>
      {browser && (
        <Segments
          label="How"
          value={way}
          options={[
            { value: 'consent', label: `Sign in on ${name}` },
            { value: 'credentials', label: 'Credentials' },
          ]}
          onChange={setWay}
        />
      )}
      {browserHint && (
        <p className="hint">
          To sign in on {name} instead: {browserHint}
        </p>
      )}
      {way === 'consent' ? <Consent platform={platform} /> : <Credentials platform={platform} onDone={onDone} />}
    </>
  )
}

function Consent({ platform }: { readonly platform: Platform }) {
  const { logins } = platform
  const [login, setLogin] = useState(logins[0]?.key)
  const consent = useChange({
    change: sessionApi.authorize,
    touches: [],
    onDone: ({ url }) => window.location.assign(url),
    showsProblem: true,
  })
  return (
    <>
      {login !== undefined && logins.length > 1 && (
        <Choice
          label="What to connect"
          value={login}
          options={logins.map(({ key, name }) => ({ value: key, label: name }))}
          onChange={setLogin}
        />
      )}
      <ConnectForm
        platform={platform}
        fields={platform.credentialFields.filter((field) => field.beforehand)}
        action={`Continue to ${platform.name}`}
        // Stays pending until the browser has left the page.
        isPending={consent.isPending || consent.isSuccess}
        error={consent.error}
        onSubmit={(account) => consent.mutate({ ...account, ...(login !== undefined && { login }) })}
      >
        <p className="hint">You choose what to allow, sign in there, and return here.</p>
      </ConnectForm>
    </>
  )
}

function Credentials({ platform, onDone }: { readonly platform: Platform; readonly onDone: () => void }) {
  const connect = useChange({
    change: sessionApi.connect,
    touches: ['account'],
    done: ({ label }) => `${label} is connected.`,
    onDone,
    showsProblem: true,
  })
  return (
    <ConnectForm
      platform={platform}
      fields={platform.credentialFields}
      action="Check and connect"
      isPending={connect.isPending}
      error={connect.error}
      onSubmit={connect.mutate}
    />
  )
}

function ConnectForm(props: {
  readonly platform: Platform
  readonly fields: readonly CredentialField[]
  readonly action: string
  readonly isPending: boolean
  readonly error: Error | null
  readonly onSubmit: (account: ConnectBody) => void
  readonly children?: ReactNode
}) {
  const { platform, fields, action, isPending, error, onSubmit, children } = props
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const filled = (field: string) => String(given.get(field) ?? '').trim()
    const credentials = fields.map((field) => [field.name, filled(`credential-${field.name}`)] as const)
    onSubmit({
      platform: platform.key,
      credentials: Object.fromEntries(credentials.filter(([, value]) => value !== '')),
      ...(filled('label') && { label: filled('label') }),
      ...(filled('baseUrl') && { baseUrl: filled('baseUrl') }),
    })
  }
  return (
    <Form onSubmit={submit}>
      {error && <Problem error={error} />}
      {fields.map((field) =>
        field.values ? (
          <NamedChoice key={field.name} field={field} values={field.values} />
        ) : (
          <Field
            key={field.name}
            label={field.name}
            name={`credential-${field.name}`}
            type={field.secret ? 'password' : 'text'}
            autoComplete="off"
            isRequired={field.required}
            hint={field.description}
          />
        ),
      )}
      <Field label="Label" name="label" hint="Its name in Fanfare. Default: its name on the platform." />
      <details>
        <summary>Custom server</summary>
        <div className="indented">
          <Field label="Server URL" name="baseUrl" type="url" placeholder="https://" />
        </div>
      </details>
      {children}
      <Actions>
        <Button look="main" type="submit" isPending={isPending}>
          {action}
        </Button>
      </Actions>
    </Form>
  )
}

function NamedChoice({ field, values }: { readonly field: CredentialField; readonly values: readonly string[] }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{field.name}</label>
      <select id={id} name={`credential-${field.name}`} required={field.required}>
        {!field.required && <option value="" />}
        {values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
      <span className="hint">{field.description}</span>
    </div>
  )
}
