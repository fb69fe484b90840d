import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { answered, api } from '../../client/client.ts'
import { useChange, useSession } from '../../client/queries.ts'
import type { ScheduledPost } from '../../client/types.ts'
import { Actions, Button, ButtonLink } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Field } from '../../parts/fields.tsx'
import { Irrevocable } from '../../parts/irrevocable.tsx'
import { Problem } from '../../parts/shown.tsx'
import { clockOf, dayOf, inOwnZone, instantOf, OWN_ZONE } from '../../parts/time.ts'
import { Duplicate } from './duplicate.tsx'

/** Moves a scheduled post to another time. */
export function useReschedule(options: { readonly onDone?: () => void; readonly showsProblem?: boolean } = {}) {
  return useChange({
    change: ({ id, to }: { readonly id: string; readonly to: string }) =>
      answered(api.PATCH('/scheduled-posts/{id}', { params: { path: { id } }, body: { scheduledAtUtc: to } })),
    touches: ['scheduled-post', 'due-work'],
    done: ({ scheduledAtUtc }) => `Rescheduled to ${inOwnZone(scheduledAtUtc)}.`,
    ...options,
  })
}

export function Reschedule({
  post,
  isOpen,
  onClose,
}: {
  readonly post: ScheduledPost
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  const move = useReschedule({ onDone: onClose, showsProblem: true })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    move.mutate({ id: post.id, to: instantOf(String(fields.get('date')), String(fields.get('time'))) })
  }
  return (
    <Dialog title="Reschedule" isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        {move.error && <Problem error={move.error} />}
        <p className="clamp">{post.caption || 'No caption'}</p>
        <div className="row">
          <Field label="Date" name="date" type="date" defaultValue={dayOf(post.scheduledAtUtc)} isRequired autoFocus />
          <Field label="Time" name="time" type="time" defaultValue={clockOf(post.scheduledAtUtc)} isRequired />
        </div>
        <p className="hint">In your time zone, {OWN_ZONE.replaceAll('_', ' ')}.</p>
        <Actions>
          <Button look="main" type="submit" isPending={move.isPending}>
            Reschedule
          </Button>
          <ButtonLink to={`/posts/${post.id}`}>Open</ButtonLink>
        </Actions>
      </Form>
    </Dialog>
  )
}

export function ScheduledActions({ post }: { readonly post: ScheduledPost }) {
  const [isMoving, setMoving] = useState(false)
  const mayWrite = useSession().permissions.includes('posts:write')
  if (!mayWrite) return null
  return (
    <Actions>
      <ButtonLink small to={`/compose?edit=${post.id}`}>
        Edit
      </ButtonLink>
      <Button small onPress={() => setMoving(true)}>
        Reschedule
      </Button>
      <Duplicate post={post} />
      <Irrevocable
        small
        action="Cancel"
        title="Cancel this post?"
        change={() => answered(api.DELETE('/scheduled-posts/{id}', { params: { path: { id: post.id } } }))}
        touches={['scheduled-post', 'due-work']}
        done="Post canceled."
      >
        It is scheduled for {inOwnZone(post.scheduledAtUtc)} and will not be published.
      </Irrevocable>
      <Reschedule post={post} isOpen={isMoving} onClose={() => setMoving(false)} />
    </Actions>
  )
}
