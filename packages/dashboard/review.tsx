import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from './client/queries.ts'
import { reviewApi, type GuestReview, type SharedPost } from './client/review-api.ts'
import { ChangesOf } from './pages/approvals/changes.tsx'
import { Said } from './pages/approvals/review.tsx'
import { Actions, Button } from './parts/buttons.tsx'
import { Confirm } from './parts/dialogs.tsx'
import { Field } from './parts/fields.tsx'
import { LinkPage } from './parts/link-page.tsx'
import { Moment, OPEN, Problem, Status } from './parts/shown.tsx'

/** The page of a link with which somebody without an account reviews a post. */
export function Review({ token }: { readonly token: string }) {
  return (
    <LinkPage
      title={t`Review of a post`}
      titleOf={({ workspace }) => t`A post by ${workspace.name}`}
      queryKey={['scheduled-post', 'link', token]}
      look={() => reviewApi.post(token)}
      isWide
    >
      {(post) => <SharedPostReview token={token} post={post} />}
    </LinkPage>
  )
}

function SharedPostReview({ token, post }: { readonly token: string; readonly post: SharedPost }) {
  const { workspace, status, publishes, scheduledAtUtc, changes, remarks } = post
  const [said, setSaid] = useState<GuestReview['decision']>()
  if (said !== undefined && said !== 'comment') {
    return (
      <>
        <h1>{DONE[said]}</h1>
        <p role="status">
          <Trans>{workspace.name} has your answer. You can close this page.</Trans>
        </p>
      </>
    )
  }
  return (
    <>
      <div className="card-head">
        <h1>
          <Trans>A post by {workspace.name}</Trans>
        </h1>
        <Status of={status} />
      </div>
      <p className="muted">
        {publishes === 'on_approval' && status !== 'approved' ? (
          <Trans>It is published as soon as it is approved.</Trans>
        ) : (
          <Trans>
            Scheduled for <Moment at={scheduledAtUtc} />.
          </Trans>
        )}{' '}
        {status === 'held' && <Trans>That time has passed: ask for another, then approve it.</Trans>}
      </p>
      <Shared of={post} />
      <ChangesOf changes={changes} nameOf={(name) => name} />
      {remarks.length > 0 && (
        <ol className="remarks" aria-label={t`Comments`}>
          {remarks.map(({ by, at, decision, text }) => (
            <li key={`${at} ${by} ${decision ?? ''}`}>
              <p className="hint">
                <Said by={by} at={at} decision={decision} />
              </p>
              {text !== undefined && <p className="text">{text}</p>}
            </li>
          ))}
        </ol>
      )}
      {said === 'comment' && (
        <p role="status">
          <Trans>Your comment was sent.</Trans>
        </p>
      )}
      <Answer token={token} post={post} onDone={setSaid} />
    </>
  )
}

const LACKING = { name: t`Enter your name first.`, comment: t`Enter your comment first.` }
const DONE = {
  approve: t`Approved. Thank you!`,
  'request-changes': t`Changes requested. Thank you!`,
  reject: t`Rejected. Thank you!`,
}

/** What is published, and where. */
function Shared({ of }: { readonly of: SharedPost }) {
  const { caption, captionOverrides, hashtags, firstComment, media, parts, accounts } = of
  return (
    <section className="stack" aria-label={t`Post`}>
      <ul className="stack" aria-label={t`Accounts`}>
        {accounts.map(({ platform, label }) => (
          <li key={`${platform} ${label}`}>
            <span className="platform">{platform}</span> <span className="muted">{label}</span>
          </li>
        ))}
      </ul>
      <Media of={media} />
      <p className="text">
        {caption || (
          <span className="muted">
            <Trans>No caption</Trans>
          </span>
        )}
      </p>
      {hashtags.length > 0 && <p className="muted">{hashtags.join(' ')}</p>}
      {Object.entries(captionOverrides).map(([platform, text]) => (
        <div key={platform}>
          <p className="hint">
            <Trans>Instead on {platform}:</Trans>
          </p>
          <p className="text">{text}</p>
        </div>
      ))}
      {firstComment && (
        <div>
          <p className="hint">
            <Trans>First comment:</Trans>
          </p>
          <p className="text">{firstComment}</p>
        </div>
      )}
      {parts.length > 0 && (
        <ol className="chain" start={2}>
          {parts.map(({ text, media: ofPart }, index) => (
            <li key={index} className="stack">
              <p className="text">{text}</p>
              <Media of={ofPart} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function Media({ of }: { readonly of: SharedPost['media'] }) {
  return of.map(({ url, type, altText = '' }) => (
    <div key={url} className="shared-media">
      {type === 'image' && (
        <img src={url} alt={altText} onError={({ currentTarget }) => (currentTarget.hidden = true)} />
      )}
      {type === 'video' && <video src={url} aria-label={altText || t`Video`} controls preload="metadata" />}
      <p className="hint">
        <a href={url} target="_blank" rel="noreferrer">
          {OPEN[type]}
        </a>
      </p>
    </div>
  ))
}

function Answer(props: {
  readonly token: string
  readonly post: SharedPost
  readonly onDone: (decision: GuestReview['decision']) => void
}) {
  const { token, onDone } = props
  const { mayDecide, version, status } = props.post
  const [name, setName] = useState('')
  const [comment, setComment] = useState('')
  const [lacks, setLacks] = useState<'name' | 'comment'>()
  const [isRejecting, setRejecting] = useState(false)
  const { mutate, error, isPending } = useChange({
    change: (decision: GuestReview['decision']) =>
      reviewApi.review(token, { name, version, decision, ...(comment.trim() && { comment }) }),
    // The post may have been edited, or decided on by somebody else.
    touches: ['scheduled-post'],
    onDone: (_, decision) => {
      setComment('')
      onDone(decision)
    },
    showsProblem: true,
  })
  const may = (needsWords: boolean): boolean => {
    const missing = name.trim() === '' ? 'name' : needsWords && comment.trim() === '' ? 'comment' : undefined
    setLacks(missing)
    return missing === undefined
  }
  // The message goes before the next press, not during it: the buttons would move away from the pointer.
  const typed = (set: (text: string) => void) => (text: string) => {
    setLacks(undefined)
    set(text)
  }
  const reject = () => {
    setRejecting(false)
    mutate('reject')
  }
  return (
    // No button submits it: Enter in a field would decide.
    <Form validationBehavior="aria" onSubmit={(event) => event.preventDefault()}>
      {error && <Problem error={error} />}
      <Field
        label={t`Your name`}
        autoComplete="name"
        maxLength={100}
        isRequired
        value={name}
        onChange={typed(setName)}
      />
      <Field label={t`Comment`} rows={3} maxLength={2000} value={comment} onChange={typed(setComment)} />
      {lacks && (
        <p role="alert" className="field-error">
          {LACKING[lacks]}
        </p>
      )}
      <Actions>
        {mayDecide && (
          <>
            {status !== 'approved' && status !== 'held' && (
              <Button look="main" isPending={isPending} onPress={() => may(false) && mutate('approve')}>
                <Trans>Approve</Trans>
              </Button>
            )}
            <Button isPending={isPending} onPress={() => may(true) && mutate('request-changes')}>
              <Trans>Request changes</Trans>
            </Button>
            <Button look="danger" isPending={isPending} onPress={() => may(false) && setRejecting(true)}>
              <Trans>Reject</Trans>
            </Button>
          </>
        )}
        <Button isPending={isPending} onPress={() => may(true) && mutate('comment')}>
          <Trans>Comment</Trans>
        </Button>
      </Actions>
      <Confirm
        title={t`Reject this post?`}
        isOpen={isRejecting}
        onClose={() => setRejecting(false)}
        action={t`Reject`}
        isPending={isPending}
        onConfirm={reject}
      >
        <p>
          <Trans>It is cancelled and will not be published.</Trans>
        </p>
      </Confirm>
    </Form>
  )
}
