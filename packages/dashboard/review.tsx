import { useState } from 'react'
import { Form } from 'react-aria-components'
import { useChange } from './client/queries.ts'
import { reviewApi, type GuestReview, type SharedPost } from './client/review-api.ts'
import { ChangesOf } from './pages/approvals/changes.tsx'
import { DECIDED } from './pages/approvals/review.tsx'
import { Actions, Button } from './parts/buttons.tsx'
import { Confirm } from './parts/dialogs.tsx'
import { Field } from './parts/fields.tsx'
import { LinkPage } from './parts/link-page.tsx'
import { Moment, Problem, Status } from './parts/shown.tsx'

/** The page of a link with which somebody without an account reviews a post. */
export function Review({ token }: { readonly token: string }) {
  return (
    <LinkPage
      title="Review of a post"
      titleOf={({ workspace }) => `A post by ${workspace.name}`}
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
        <p role="status">{workspace.name} has your answer. You can close this page.</p>
      </>
    )
  }
  return (
    <>
      <div className="card-head">
        <h1>A post by {workspace.name}</h1>
        <Status of={status} />
      </div>
      <p className="muted">
        {publishes === 'on_approval' && status !== 'approved' ? (
          'It is published as soon as it is approved.'
        ) : (
          <>
            Scheduled for <Moment at={scheduledAtUtc} />.
          </>
        )}
        {status === 'held' && ' That time has passed: ask for another, then approve it.'}
      </p>
      <Shared of={post} />
      <ChangesOf changes={changes} nameOf={(name) => name} />
      {remarks.length > 0 && (
        <ol className="remarks" aria-label="Comments">
          {remarks.map(({ by, at, decision, text }) => (
            <li key={`${at} ${by} ${decision ?? ''}`}>
              <p className="hint">
                <strong>{by}</strong> {decision ? DECIDED[decision] : 'commented'} <Moment at={at} short />
              </p>
              {text !== undefined && <p className="text">{text}</p>}
            </li>
          ))}
        </ol>
      )}
      {said === 'comment' && <p role="status">Your comment was sent.</p>}
      <Answer token={token} post={post} onDone={setSaid} />
    </>
  )
}

const DONE = {
  approve: 'Approved. Thank you!',
  'request-changes': 'Changes requested. Thank you!',
  reject: 'Rejected. Thank you!',
}

/** What is published, and where. */
function Shared({ of }: { readonly of: SharedPost }) {
  const { caption, captionOverrides, hashtags, firstComment, media, parts, accounts } = of
  return (
    <section className="stack" aria-label="Post">
      <ul className="stack" aria-label="Accounts">
        {accounts.map(({ platform, label }) => (
          <li key={`${platform} ${label}`}>
            <span className="platform">{platform}</span> <span className="muted">{label}</span>
          </li>
        ))}
      </ul>
      <Media of={media} />
      <p className="text">{caption || <span className="muted">No caption</span>}</p>
      {hashtags.length > 0 && <p className="muted">{hashtags.join(' ')}</p>}
      {Object.entries(captionOverrides).map(([platform, text]) => (
        <div key={platform}>
          <p className="hint">Instead on {platform}:</p>
          <p className="text">{text}</p>
        </div>
      ))}
      {firstComment && (
        <div>
          <p className="hint">First comment:</p>
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
      {type === 'video' && <video src={url} aria-label={altText || 'Video'} controls preload="metadata" />}
      <p className="hint">
        <a href={url} target="_blank" rel="noreferrer">
          Open the {type}
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
      <Field label="Your name" autoComplete="name" maxLength={100} isRequired value={name} onChange={typed(setName)} />
      <Field label="Comment" rows={3} maxLength={2000} value={comment} onChange={typed(setComment)} />
      {lacks && (
        <p role="alert" className="field-error">
          Enter your {lacks} first.
        </p>
      )}
      <Actions>
        {mayDecide && (
          <>
            {status !== 'approved' && status !== 'held' && (
              <Button look="main" isPending={isPending} onPress={() => may(false) && mutate('approve')}>
                Approve
              </Button>
            )}
            <Button isPending={isPending} onPress={() => may(true) && mutate('request-changes')}>
              Request changes
            </Button>
            <Button look="danger" isPending={isPending} onPress={() => may(false) && setRejecting(true)}>
              Reject
            </Button>
          </>
        )}
        <Button isPending={isPending} onPress={() => may(true) && mutate('comment')}>
          Comment
        </Button>
      </Actions>
      <Confirm
        title="Reject this post?"
        isOpen={isRejecting}
        onClose={() => setRejecting(false)}
        action="Reject"
        isPending={isPending}
        onConfirm={reject}
      >
        <p>It is cancelled and will not be published.</p>
      </Confirm>
    </Form>
  )
}
