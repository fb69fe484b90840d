import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { answered, api, attemptName, named } from '../../client/client.ts'
import { useChange } from '../../client/queries.ts'
import type { Reply } from '../../client/types.ts'
import { AccountName, PlatformName, usePlatformName } from '../../parts/accounts.tsx'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Field } from '../../parts/fields.tsx'
import { Moment, Status } from '../../parts/shown.tsx'

/** A comment, its draft reply, and the possible actions. */
export function ReplyItem({ reply }: { readonly reply: Reply }) {
  const { id, platform, accountId, commentAuthor, commentText, draft, drafting, status, error, sentAt, url } = reply
  const [open, setOpen] = useState<'edit' | 'regenerate'>()
  const path = { id }
  const touches = ['reply', 'comment', 'due-work'] as const
  const close = () => setOpen(undefined)

  const approve = useChange({
    change: (editedText: string | undefined) =>
      answered(
        api.POST('/replies/pending/{id}/approve', {
          params: { path, ...named(attemptName()) },
          body: editedText === undefined ? {} : { editedText },
        }),
      ),
    touches,
    done: ({ status: now }) => (now === 'sent' ? 'Reply sent.' : 'Sending reply…'),
    onDone: close,
  })
  const reject = useChange({
    change: () => answered(api.POST('/replies/pending/{id}/reject', { params: { path } })),
    touches,
    done: 'Draft rejected. Nothing was sent.',
  })
  const regenerate = useChange({
    change: (context: string) =>
      answered(api.POST('/replies/pending/{id}/regenerate', { params: { path }, body: { context } })),
    touches,
    done: 'New draft ready.',
    onDone: close,
  })
  const nameOf = usePlatformName()
  const isBusy = approve.isPending || reject.isPending || regenerate.isPending
  const canAct = (status === 'pending' || status === 'failed') && !drafting

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('text'))
    if (open === 'edit') approve.mutate(text)
    else regenerate.mutate(text)
  }
  return (
    <div className="item-body">
      <div className="item-line">
        <PlatformName of={platform} />
        <span className="muted">
          <AccountName of={accountId} />
        </span>
        <Status of={drafting ? 'drafting' : status} />
        <span className="hint">
          <Moment at={sentAt ?? reply.createdAt} short />
        </span>
        {url && (
          <a href={url} target="_blank" rel="noreferrer">
            View on {nameOf(platform)}
          </a>
        )}
      </div>
      <blockquote className="text">
        <strong>{commentAuthor ?? 'Somebody'}</strong> {commentText}
      </blockquote>
      {open === undefined && (
        <p className="text draft">{draft || (drafting ? 'A draft is being written…' : 'No draft')}</p>
      )}
      {error && <p className="said problem">{error}</p>}
      {open !== undefined && (
        <Form onSubmit={submit}>
          <Field
            label={open === 'edit' ? 'Your reply' : 'What should be different?'}
            name="text"
            rows={3}
            defaultValue={open === 'edit' ? draft : ''}
            isRequired
            autoFocus
            onKeyDown={(event) => event.key === 'Escape' && close()}
          />
          <Actions>
            <Button small look="main" type="submit" isPending={isBusy}>
              {open === 'edit' ? 'Send this' : 'Draft again'}
            </Button>
            <Button small onPress={close}>
              Back
            </Button>
          </Actions>
        </Form>
      )}
      {canAct && open === undefined && (
        <Actions>
          <Button
            data-key="a"
            small
            look="main"
            isPending={approve.isPending}
            onPress={() => approve.mutate(undefined)}
          >
            Approve and send
          </Button>
          <Button data-key="e" small onPress={() => setOpen('edit')}>
            Edit
          </Button>
          <Button data-key="g" small onPress={() => setOpen('regenerate')}>
            Draft again
          </Button>
          <Button
            data-key="x"
            small
            look="danger"
            isPending={reject.isPending}
            onPress={() => reject.mutate(undefined)}
          >
            Reject
          </Button>
        </Actions>
      )}
    </div>
  )
}
