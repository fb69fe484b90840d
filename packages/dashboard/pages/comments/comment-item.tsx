import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { Link } from 'react-router'
import { answered, api, attemptName, named } from '../../client/client.ts'
import { useChange } from '../../client/queries.ts'
import type { Comment, ReplyBody } from '../../client/types.ts'
import { AccountName, PlatformName } from '../../parts/accounts.tsx'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { Field } from '../../parts/fields.tsx'
import { Moment, Status } from '../../parts/shown.tsx'

export function CommentItem({ comment }: { readonly comment: Comment }) {
  const { platform, accountId, id, author, authorId, text, createdAt, replied, dismissed, kind } = comment
  const [isAnswering, setAnswering] = useState(false)
  const [attempt, setAttempt] = useState(attemptName)
  /** The reply that the user tried to send to a comment that already has one, and the API's message. */
  const [second, setSecond] = useState<{ readonly directText: string; readonly why: string }>()
  const touches = ['comment', 'reply'] as const
  const reply = useChange({
    change: (more: { readonly directText?: string; readonly ifReplied?: 'send' }) =>
      answered(
        api.POST('/comments/reply', {
          body: { ...whatReplyNeeds(comment), ifReplied: 'refuse', ...more },
          params: named(attempt),
        }),
      ),
    showsProblem: (error, { directText }) => {
      if (directText === undefined || !error.message.includes('already has a reply')) return false
      setSecond({ directText, why: error.message })
      return true
    },
    touches,
    done: ({ status }) =>
      status === 'sent' ? t`Reply sent.` : status === 'pending' ? t`Draft added to the inbox.` : t`Sending reply…`,
    onDone: () => {
      setSecond(undefined)
      setAttempt(attemptName())
      setAnswering(false)
    },
  })
  const dismiss = useChange({
    change: () =>
      answered(
        api.POST('/comments/dismiss', {
          body: { platform: platform as ReplyBody['platform'], accountId, commentId: id },
        }),
      ),
    touches,
    done: t`Comment dismissed.`,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    reply.mutate({ directText: String(new FormData(event.currentTarget).get('text')) })
  }
  return (
    <li>
      <div className="item-body">
        <div className="item-line">
          <strong>{author}</strong>
          <PlatformName of={platform} />
          <span className="muted">
            <AccountName of={accountId} />
          </span>
          {kind === 'mention' && <Status of="mention" />}
          {replied && <Status of="replied" />}
          {dismissed && <Status of="dismissed" />}
          <span className="hint">
            <Moment at={createdAt} short />
          </span>
          <Link
            className="hint"
            to={`/settings/storage?author=${encodeURIComponent(authorId ?? author)}`}
            aria-label={t`Erase the data of ${author}`}
          >
            <Trans>Erase data</Trans>
          </Link>
        </div>
        <p className="text">{text}</p>
        {isAnswering && (
          <Form onSubmit={submit}>
            <Field label={t`Your reply to ${author}`} name="text" rows={3} isRequired autoFocus />
            <Actions>
              <Button small look="main" type="submit" isPending={reply.isPending}>
                <Trans>Send</Trans>
              </Button>
              <Button small onPress={() => setAnswering(false)}>
                <Trans>Back</Trans>
              </Button>
            </Actions>
          </Form>
        )}
        <Confirm
          title={t`Send a second reply?`}
          isOpen={second !== undefined}
          onClose={() => setSecond(undefined)}
          action={t`Send anyway`}
          isPending={reply.isPending}
          onConfirm={() => second && reply.mutate({ directText: second.directText, ifReplied: 'send' })}
        >
          <p>{second?.why}</p>
        </Confirm>
        {!isAnswering && !replied && (
          <Actions>
            <Button small onPress={() => setAnswering(true)} aria-label={t`Reply to ${author}`}>
              <Trans>Reply</Trans>
            </Button>
            <Button
              small
              isPending={reply.isPending}
              onPress={() => reply.mutate({})}
              aria-label={t`Draft with AI a reply to ${author}`}
            >
              <Trans>Draft with AI</Trans>
            </Button>
            {!dismissed && (
              <Button
                small
                isPending={dismiss.isPending}
                onPress={() => dismiss.mutate(undefined)}
                aria-label={t`Dismiss the comment by ${author}`}
              >
                <Trans>Dismiss</Trans>
              </Button>
            )}
          </Actions>
        )}
      </div>
    </li>
  )
}

/** Some platforms need more than the comment's id for a reply; the comment contains it. */
function whatReplyNeeds({ platform, accountId, id, text, postUrn, rootUri, rootCid, commentCid }: Comment): ReplyBody {
  return {
    platform: platform as ReplyBody['platform'],
    accountId,
    commentId: id,
    text,
    ...(postUrn && { postUrn }),
    ...(rootUri && { rootUri }),
    ...(rootCid && { rootCid }),
    ...(commentCid && { commentCid }),
  }
}
