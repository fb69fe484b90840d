import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import type { Comment } from '../../client/types.ts'
import { AccountName, usePlatformName } from '../../parts/accounts.tsx'
import { Button } from '../../parts/buttons.tsx'
import { PlatformIcon } from '../../parts/platform-icon.tsx'
import { Moment, Status, Thumb } from '../../parts/shown.tsx'
import { Answer } from './answer.tsx'
import { AssigneeOf } from './assign.tsx'
import type { Change } from './settle.ts'

/** A comment, the post it is about, and its reply. */
export function Thread(props: {
  readonly comment: Comment
  readonly mayWrite: boolean
  readonly onSettle: (comment: Comment, change: Change) => void
  /** Back to the list, by keyboard. */
  readonly onLeave: () => void
  readonly onClose: () => void
}) {
  const { comment, mayWrite, onSettle, onLeave, onClose } = props
  const { platform, accountId, author, authorId, text, createdAt, kind, replied, reply } = comment
  const nameOf = usePlatformName()
  const isOpen = !replied && reply?.status !== 'sending'
  return (
    <>
      <div className="thread-back">
        <Button small onPress={onClose}>
          <Trans>‹ Back to the list</Trans>
        </Button>
      </div>
      <div className="item-line">
        <PlatformIcon of={platform} isNamed />
        <h2>{author}</h2>
        {kind === 'mention' && <Status of="mention" />}
        <span className="muted">
          {nameOf(platform)}, <AccountName of={accountId} />
        </span>
        <span className="hint">
          <Moment at={createdAt} short />
        </span>
      </div>
      <AssigneeOf comment={comment} mayWrite={mayWrite} />
      <AboutPost comment={comment} />
      <blockquote className="text said-by">{text}</blockquote>
      <Outcome comment={comment} />
      {isOpen && mayWrite && <Answer comment={comment} onSettle={onSettle} onLeave={onLeave} />}
      <p className="hint">
        <Link to={`/settings/storage?author=${encodeURIComponent(authorId ?? author)}`}>
          <Trans>Erase the data of {author}</Trans>
        </Link>
      </p>
    </>
  )
}

function AboutPost({ comment: { post, postId, kind } }: { readonly comment: Comment }) {
  if (post) {
    return (
      <Link to={`/posts/${post.id}`} className="about-post">
        {post.mediaUrl !== '' && <Thumb url={post.mediaUrl} type={post.mediaType} />}
        <span>
          <span className="hint">
            <Trans>On your post</Trans>
          </span>
          <span className="clamp">{post.caption || t`No caption`}</span>
        </span>
      </Link>
    )
  }
  if (kind === 'mention')
    return (
      <p className="hint">
        <Trans>You are mentioned in a post of theirs.</Trans>
      </p>
    )
  return postId === undefined ? null : (
    <p className="hint">
      <Trans>On a post that was not published from here.</Trans>
    </p>
  )
}

/** What has become of it, here or on the platform itself. */
function Outcome({ comment: { platform, replied, dismissed, reply } }: { readonly comment: Comment }) {
  const nameOf = usePlatformName()
  if (reply?.status === 'sent' || reply?.status === 'sending') {
    return (
      <div className="our-reply">
        <p className="text">{reply.draft}</p>
        <div className="item-line hint">
          {reply.status === 'sending' ? t`Sending…` : t`Your reply`}
          {reply.sentAt && <Moment at={reply.sentAt} short />}
          {reply.url && (
            <a href={reply.url} target="_blank" rel="noreferrer">
              <Trans>View on {nameOf(platform)}</Trans>
            </a>
          )}
        </div>
      </div>
    )
  }
  if (replied)
    return (
      <p className="hint">
        <Trans>Answered on {nameOf(platform)} itself.</Trans>
      </p>
    )
  if (dismissed)
    return (
      <p className="hint">
        <Trans>Dismissed without a reply.</Trans>
      </p>
    )
  return reply?.error ? <p className="said problem">{reply.error}</p> : null
}
