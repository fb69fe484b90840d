import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FocusEvent } from 'react'
import { Actions, Button } from './buttons.tsx'
import { Dialog } from './dialogs.tsx'

/** A secret that is shown only once. It stays until the user dismisses it. */
export function Secret(props: {
  readonly title: string
  readonly secret: string | undefined
  /** Its lines; absent: one. */
  readonly rows?: number
  readonly hint: string
  readonly onClose: () => void
}) {
  const { title, secret, rows, hint, onClose } = props
  const [isCopied, setCopied] = useState(false)
  const close = () => {
    setCopied(false)
    onClose()
  }
  const shown = {
    ...{ readOnly: true, className: 'code', 'aria-label': title, value: secret ?? '' },
    onFocus: (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => event.target.select(),
  }
  return (
    <Dialog title={title} isOpen={secret !== undefined} onClose={close}>
      <p>{hint}</p>
      {rows === undefined ? <input {...shown} /> : <textarea {...shown} rows={rows} />}
      <Actions>
        <Button
          look="main"
          onPress={() => void navigator.clipboard?.writeText(secret ?? '').then(() => setCopied(true))}
        >
          <Trans>Copy</Trans>
        </Button>
        <Button onPress={close}>
          <Trans>I have saved it</Trans>
        </Button>
        <span role="status">{isCopied ? t`Copied.` : ''}</span>
      </Actions>
    </Dialog>
  )
}
