import { useState } from 'react'
import { Actions, Button } from './buttons.tsx'
import { Dialog } from './dialogs.tsx'

/** A secret that is shown only once. It stays until the user dismisses it. */
export function Secret(props: {
  readonly title: string
  readonly secret: string | undefined
  readonly hint: string
  readonly onClose: () => void
}) {
  const { title, secret, hint, onClose } = props
  const [isCopied, setCopied] = useState(false)
  const close = () => {
    setCopied(false)
    onClose()
  }
  return (
    <Dialog title={title} isOpen={secret !== undefined} onClose={close}>
      <p>{hint}</p>
      <input
        readOnly
        className="code"
        aria-label={title}
        value={secret ?? ''}
        onFocus={(event) => event.target.select()}
      />
      <Actions>
        <Button
          look="main"
          onPress={() => void navigator.clipboard?.writeText(secret ?? '').then(() => setCopied(true))}
        >
          Copy
        </Button>
        <Button onPress={close}>I have saved it</Button>
        <span role="status">{isCopied ? 'Copied.' : ''}</span>
      </Actions>
    </Dialog>
  )
}
