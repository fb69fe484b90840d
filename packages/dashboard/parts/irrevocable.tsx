import { useState, type ReactNode } from 'react'
import { useChange, type Kind } from '../client/queries.ts'
import { Button } from './buttons.tsx'
import { Confirm } from './dialogs.tsx'

/** A button for an irreversible action. Its children are the text of the confirmation. */
export function Irrevocable(props: {
  readonly action: string
  /** Accessible name, when `action` alone does not say what it applies to. */
  readonly name?: string
  readonly small?: boolean
  /** The confirmation's title. */
  readonly title: string
  readonly change: () => Promise<unknown>
  readonly touches: readonly Kind[]
  readonly done: string
  readonly onDone?: () => void
  readonly children: ReactNode
}) {
  const { action, name, small = false, title, change, touches, done, onDone, children } = props
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useChange({
    ...{ change, touches, done },
    onDone: () => {
      setAsking(false)
      onDone?.()
    },
  })
  return (
    <>
      <Button small={small} look="danger" aria-label={name ?? action} onPress={() => setAsking(true)}>
        {action}
      </Button>
      <Confirm
        title={title}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action={action}
        isPending={isPending}
        onConfirm={() => mutate(undefined)}
      >
        <p>{children}</p>
      </Confirm>
    </>
  )
}
