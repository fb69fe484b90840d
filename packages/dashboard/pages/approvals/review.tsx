import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
  const asker = requestedBy.label ?? t`Somebody`
  return (
    <Card title={t`Approval`} action={<Status of={status} />}>
      <div className="stack">
        <p className="hint">
          <Trans>
            {asker} asked for it <Moment at={requestedAt} short />.
          </Trans>{' '}
          {status === 'held' && <Trans>Its time passed before it was approved, so it is not published.</Trans>}
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

/** Who decided or commented, and when. */
export function Said({
  by,
  at,
  decision,
}: { readonly by: string } & Pick<Approval['remarks'][number], 'at' | 'decision'>) {
  switch (decision) {
    case 'approved':
      return (
        <Trans>
          <strong>{by}</strong> approved it <Moment at={at} short />
        </Trans>
      )
    case 'changes_requested':
      return (
        <Trans>
          <strong>{by}</strong> requested changes <Moment at={at} short />
        </Trans>
      )
    case 'rejected':
      return (
        <Trans>
          <strong>{by}</strong> rejected it <Moment at={at} short />
        </Trans>
      )
    case undefined:
      return (
        <Trans>
          <strong>{by}</strong> commented <Moment at={at} short />
        </Trans>
      )
  }
}

function Remarks({ of }: { readonly of: Approval['remarks'] }) {
  if (of.length === 0) return null
  return (
    <ol className="remarks">
      {of.map(({ by, at, decision, text }) => (
        <li key={`${at} ${by.id} ${decision ?? ''}`}>
          <p className="hint">
            <Said
              by={by.label ?? (by.kind === 'cli' ? t`The command line` : t`Somebody`)}
              at={at}
              decision={decision}
            />
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
      <Field label={t`Comment`} rows={2} maxLength={2000} value={text} onChange={setText} />
      <Actions>
        <Button small type="submit" isPending={send.isPending} isDisabled={text.trim() === ''}>
          <Trans context="verb">Comment</Trans>
        </Button>
      </Actions>
    </Form>
  )
}
