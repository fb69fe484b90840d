import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
    done: ({ scheduledAtUtc }) => t`Rescheduled to ${inOwnZone(scheduledAtUtc)}.`,
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
    <Dialog title={t`Reschedule`} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        {move.error && <Problem error={move.error} />}
        <p className="clamp">{post.caption || t`No caption`}</p>
        <div className="row">
          <Field
            label={t`Date`}
            name="date"
            type="date"
            defaultValue={dayOf(post.scheduledAtUtc)}
            isRequired
            autoFocus
          />
          <Field label={t`Time`} name="time" type="time" defaultValue={clockOf(post.scheduledAtUtc)} isRequired />
        </div>
        <p className="hint">
          <Trans>In your time zone, {OWN_ZONE.replaceAll('_', ' ')}.</Trans>
        </p>
        <Actions>
          <Button look="main" type="submit" isPending={move.isPending}>
            <Trans>Reschedule</Trans>
          </Button>
          <ButtonLink to={`/posts/${post.id}`}>
            <Trans>Open</Trans>
          </ButtonLink>
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
        <Trans>Edit</Trans>
      </ButtonLink>
      <Button small onPress={() => setMoving(true)}>
        <Trans>Reschedule</Trans>
      </Button>
      <Duplicate post={post} />
      <Irrevocable
        small
        action={t({ message: 'Cancel', context: 'scheduled post' })}
        title={t`Cancel this post?`}
        change={() => answered(api.DELETE('/scheduled-posts/{id}', { params: { path: { id: post.id } } }))}
        touches={['scheduled-post', 'due-work']}
        done={t`Post canceled.`}
      >
        <Trans>It is scheduled for {inOwnZone(post.scheduledAtUtc)} and will not be published.</Trans>
      </Irrevocable>
      <Reschedule post={post} isOpen={isMoving} onClose={() => setMoving(false)} />
    </Actions>
  )
}
