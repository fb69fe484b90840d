import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { Form } from 'react-aria-components'
import { answered, api } from '../../client/client.ts'
import { useChange } from '../../client/queries.ts'
import type { Comment } from '../../client/types.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Field } from '../../parts/fields.tsx'
import { DraftSources } from './draft-sources.tsx'
import { approve, dismiss, draft, reject, send, type Change } from './settle.ts'

/** The reply as it is drafted, or to be written, and the possible actions. */
export function Answer(props: {
  readonly comment: Comment
  readonly onSettle: (comment: Comment, change: Change) => void
  readonly onLeave: () => void
}) {
  const { comment, onSettle, onLeave } = props
  const { reply, dismissed, author } = comment
  const [isRevising, setRevising] = useState(false)
  const waiting = reply?.status === 'pending' || reply?.status === 'failed' ? reply : undefined
  const hasDraft = waiting !== undefined && waiting.draft !== ''
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('text'))
    if (waiting) onSettle(comment, approve(text === waiting.draft ? undefined : text))
    else onSettle(comment, send(text))
  }
  const onKeyDown = (event: KeyboardEvent<Element>) => {
    if (event.key === 'Escape') onLeave()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      if (event.target instanceof HTMLTextAreaElement) event.target.form?.requestSubmit()
    }
  }
  if (waiting?.drafting)
    return (
      <p className="muted">
        <Trans>A draft is being written…</Trans>
      </p>
    )
  return (
    <>
      <Form onSubmit={submit}>
        <Field
          label={t`Your reply to ${author}`}
          name="text"
          rows={4}
          defaultValue={waiting?.draft ?? ''}
          isRequired
          onKeyDown={onKeyDown}
        />
        <Actions>
          <Button {...(hasDraft && { 'data-key': 'a' })} small look="main" type="submit">
            {hasDraft ? t`Approve and send` : t`Send`}
          </Button>
          {!waiting && (
            <Button data-key="g" small onPress={() => onSettle(comment, draft)}>
              <Trans>Draft with AI</Trans>
            </Button>
          )}
          {waiting && (
            <Button data-key="g" small onPress={() => setRevising(!isRevising)} aria-expanded={isRevising}>
              <Trans>Draft again</Trans>
            </Button>
          )}
          {waiting && (
            <Button data-key="r" small onPress={() => onSettle(comment, reject)}>
              <Trans>Reject draft</Trans>
            </Button>
          )}
          {!dismissed && (
            <Button data-key="d" small onPress={() => onSettle(comment, dismiss)}>
              <Trans>Dismiss</Trans>
            </Button>
          )}
        </Actions>
      </Form>
      {waiting && isRevising && <Revise id={waiting.id} onDone={() => setRevising(false)} />}
      {waiting && <DraftSources id={waiting.id} source={waiting.source} />}
    </>
  )
}

function Revise({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const regenerate = useChange({
    change: (context: string) =>
      answered(api.POST('/replies/pending/{id}/regenerate', { params: { path: { id } }, body: { context } })),
    touches: ['comment', 'reply'],
    done: t`New draft ready.`,
    onDone,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    regenerate.mutate(String(new FormData(event.currentTarget).get('context')))
  }
  return (
    <Form onSubmit={submit}>
      <Field
        label={t`What should be different?`}
        name="context"
        rows={2}
        isRequired
        autoFocus
        onKeyDown={(event) => event.key === 'Escape' && onDone()}
      />
      <Actions>
        <Button small type="submit" isPending={regenerate.isPending}>
          <Trans>Revise</Trans>
        </Button>
      </Actions>
    </Form>
  )
}
