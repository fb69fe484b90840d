import { t } from '@lingui/core/macro'
import { Field } from '../../../parts/fields.tsx'

/** What it takes to turn two-step sign-in on or off. */
export function CodeAndPassword({ hint }: { readonly hint: string }) {
  return (
    <>
      <Field
        label={t`Code`}
        name="code"
        autoComplete="one-time-code"
        maxLength={100}
        isRequired
        autoFocus
        hint={hint}
      />
      <Field label={t`Password`} name="password" type="password" autoComplete="current-password" isRequired />
    </>
  )
}

export function enteredIn(form: HTMLFormElement): { readonly code: string; readonly password: string } {
  const fields = new FormData(form)
  return { code: String(fields.get('code')), password: String(fields.get('password')) }
}
