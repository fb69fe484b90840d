import { useState, type ReactNode } from 'react'
import { useChange, type Kind } from '../client/queries.ts'
import { Button } from './buttons.tsx'
import { Confirm } from './dialogs.tsx'

/** A button for what can not be undone. It asks before, in the words that stand between its tags. */
export function Irrevocable(props: {
  readonly action: string
  /** What a screen reader is told, where `action` alone does not say of what. */
  readonly name?: string
  readonly small?: boolean
  /** What is asked. */
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
