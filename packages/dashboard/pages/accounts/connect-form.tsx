import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, type FormEvent, type ReactNode } from 'react'
import { Form } from 'react-aria-components'
import type { ConnectBody, CredentialField, Platform } from '../../client/session-api.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Field } from '../../parts/fields.tsx'
import { Problem } from '../../parts/shown.tsx'

export function ConnectForm(props: {
  readonly platform: Platform
  /** The account to connect again, which keeps its label and server. */
  readonly accountId?: string
  readonly fields: readonly CredentialField[]
  readonly action: string
  readonly isPending: boolean
  readonly error: Error | null
  readonly onSubmit: (account: ConnectBody) => void
  readonly children?: ReactNode
}) {
  const { platform, accountId, fields, action, isPending, error, onSubmit, children } = props
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const filled = (field: string) => String(given.get(field) ?? '').trim()
    const credentials = fields.map((field) => [field.name, filled(`credential-${field.name}`)] as const)
    onSubmit({
      platform: platform.key,
      ...(accountId && { accountId }),
      credentials: Object.fromEntries(credentials.filter(([, value]) => value !== '')),
      ...(filled('label') && { label: filled('label') }),
      ...(filled('baseUrl') && { baseUrl: addressOf(filled('baseUrl')) }),
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
      {!accountId && (
        <>
          {platform.server !== null && (
            <Field
              label={t`Server`}
              name="baseUrl"
              hint={t`The server that the account is on. Default: ${{ server: platform.server }}`}
            />
          )}
          <Field label={t`Label`} name="label" hint={t`Its name in Fanfare. Default: its name on the platform.`} />
          {platform.server === null && (
            <details>
              <summary>
                <Trans>Custom server</Trans>
              </summary>
              <div className="indented">
                <Field label={t`Server URL`} name="baseUrl" type="url" placeholder="https://" />
              </div>
            </details>
          )}
        </>
      )}
      {children}
      <Actions>
        <Button look="main" type="submit" isPending={isPending}>
          {action}
        </Button>
      </Actions>
    </Form>
  )
}

/** People know a server by its name, or by that of their account there. */
function addressOf(server: string): string {
  return server.includes('://') ? server : `https://${server.slice(server.lastIndexOf('@') + 1)}`
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
