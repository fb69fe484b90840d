import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { answered, api } from '../../client/client.ts'
import { useChange, useSession } from '../../client/queries.ts'
import type { Approval } from '../../client/types.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Field } from '../../parts/fields.tsx'
import { Card, Loading, Moment, Problem, Status } from '../../parts/shown.tsx'
import { Changes } from './changes.tsx'
import { Decide } from './decide.tsx'
import { Share } from './share.tsx'

/** The approval of a post: what was said and edited, and what to do about it. */
export function Review({ id }: { readonly id: string }) {
  const approval = useQuery({
    queryKey: ['scheduled-post', id, 'approval'],
    queryFn: () => answered(api.GET('/approvals/{id}', { params: { path: { id } } })),
  })
  if (approval.isPending) return <Loading lines={2} />
  if (approval.error) return <Problem error={approval.error} onRetry={() => void approval.refetch()} />
  const { status, requestedBy, requestedAt, changes, remarks, post } = approval.data
  return (
    <Card title="Approval" action={<Status of={status} />}>
      <div className="stack">
        <p className="hint">
          {requestedBy.label ?? 'Somebody'} asked for it <Moment at={requestedAt} short />.{' '}
          {status === 'held' && 'Its time passed before it was approved, so it is not published.'}
        </p>
        <Changes of={changes} />
        <Remarks of={remarks} />
        {post.status === 'pending' && <Comment id={id} />}
        <Decide of={approval.data} />
        <Share of={approval.data} />
      </div>
    </Card>
  )
}

export const DECIDED = { approved: 'approved it', changes_requested: 'requested changes', rejected: 'rejected it' }

function Remarks({ of }: { readonly of: Approval['remarks'] }) {
  if (of.length === 0) return null
  return (
    <ol className="remarks">
      {of.map(({ by, at, decision, text }) => (
        <li key={`${at} ${by.id} ${decision ?? ''}`}>
          <p className="hint">
            <strong>{by.label ?? (by.kind === 'cli' ? 'The command line' : 'Somebody')}</strong>{' '}
            {decision ? DECIDED[decision] : 'commented'} <Moment at={at} short />
          </p>
          {text !== undefined && <p className="text">{text}</p>}
        </li>
      ))}
    </ol>
  )
}

function Comment({ id }: { readonly id: string }) {
  const mayComment = useSession().permissions.includes('approvals:write')
  const [text, setText] = useState('')
  const send = useChange({
    change: (comment: string) =>
      answered(api.POST('/approvals/{id}/comments', { params: { path: { id } }, body: { comment } })),
    touches: ['scheduled-post', 'post'],
    onDone: () => setText(''),
  })
  if (!mayComment) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate(text)
  }
  return (
    <Form onSubmit={submit}>
      <Field label="Comment" rows={2} maxLength={2000} value={text} onChange={setText} />
      <Actions>
        <Button small type="submit" isPending={send.isPending} isDisabled={text.trim() === ''}>
          Comment
        </Button>
      </Actions>
    </Form>
  )
}
