import { useId, useRef, useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useChange, usePlatforms } from '../../client/queries.ts'
import { sessionApi, type CredentialField, type Platform } from '../../client/session-api.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Choice, Field } from '../../parts/fields.tsx'
import { Loading, Problem } from '../../parts/shown.tsx'

/** Connects an account: by its owner's consent on the platform where that is set up, by credentials anywhere. */
export function Connect({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const platforms = usePlatforms()
  const [chosen, setChosen] = useState<string>()
  const platform = platforms.data?.find(({ key }) => key === chosen) ?? platforms.data?.[0]
  return (
    <Dialog title="Connect an account" isOpen={isOpen} onClose={onClose}>
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
          {/* Nothing that was typed for one platform is sent to another. */}
          <Ways key={platform.key} platform={platform} onDone={onClose} />
        </>
      )}
    </Dialog>
  )
}

function Ways({ platform, onDone }: { readonly platform: Platform; readonly onDone: () => void }) {
  const { key, name, browser, browserHint, credentialFields } = platform
  const form = useRef<HTMLFormElement>(null)
  const consent = useChange({
    change: sessionApi.authorize,
    touches: [],
    onDone: ({ url }) => window.location.assign(url),
    showsProblem: true,
  })
  const connect = useChange({
    change: sessionApi.connect,
    touches: ['account'],
    done: ({ label }) => `${label} is connected.`,
    onDone,
    showsProblem: true,
  })
  const bodyOf = (fields: readonly CredentialField[]) => {
    const given = new FormData(form.current ?? undefined)
    const filled = (field: string) => String(given.get(field) ?? '').trim()
    const credentials = fields.map((field) => [field.name, filled(`credential-${field.name}`)] as const)
    return {
      platform: key,
      credentials: Object.fromEntries(credentials.filter(([, value]) => value !== '')),
      ...(filled('label') && { label: filled('label') }),
      ...(filled('baseUrl') && { baseUrl: filled('baseUrl') }),
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    connect.mutate(bodyOf(credentialFields))
  }
  const beforehand = credentialFields.filter((field) => field.beforehand)
  const error = consent.error ?? connect.error
  return (
    <Form onSubmit={submit} ref={form}>
      {error && <Problem error={error} />}
      {credentialFields.map((field) =>
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
      <Field label="Label" name="label" hint="How it is called here; the platform’s own name without it." />
      <details>
        <summary>On another server</summary>
        <div className="indented">
          <Field label="Address of the server" name="baseUrl" type="url" placeholder="https://" />
        </div>
      </details>
      <Actions>
        <Button look="main" type="submit" isPending={connect.isPending}>
          Check and connect
        </Button>
        {browser && (
          <Button isPending={consent.isPending} onPress={() => consent.mutate(bodyOf(beforehand))}>
            Consent on {name} instead
          </Button>
        )}
      </Actions>
      {browser && (
        <p className="hint">
          Its owner consents on {name} itself, and is sent back here.
          {beforehand.length > 0 && ` Fill in ${beforehand.map((field) => field.name).join(', ')} before.`}
        </p>
      )}
      {!browser && browserHint && <p className="hint">{browserHint}</p>}
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
