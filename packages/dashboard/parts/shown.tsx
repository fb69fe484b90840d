import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'
import { requestIdOf } from '../client/queries.ts'
import { smallImage } from '../client/session-api.ts'
import type { Post, PostResult, ScheduledPost } from '../client/types.ts'
import { Button } from './buttons.tsx'
import { fromNow, inOwnZone, inUtc } from './time.ts'

/** A time in the user's zone; in UTC on hover. */
export function Moment({ at, short }: { readonly at: string; readonly short?: boolean }) {
  const [said, other] = short ? [fromNow(at), `${inOwnZone(at)}, `] : [inOwnZone(at), '']
  return (
    <time dateTime={at} title={`${other}${inUtc(at)}`}>
      {said}
    </time>
  )
}

const TONES: Readonly<Record<string, 'good' | 'bad' | 'busy' | 'calm'>> = {
  published: 'good',
  ready: 'good',
  sent: 'good',
  delivered: 'good',
  posted: 'good',
  finished: 'good',
  active: 'good',
  approved: 'good',
  awaiting_approval: 'busy',
  changes_requested: 'bad',
  held: 'bad',
  processing: 'busy',
  pending: 'busy',
  sending: 'busy',
  publishing: 'busy',
  resting: 'busy',
  rendering: 'busy',
  running: 'busy',
  publish_failed: 'bad',
  partially_failed: 'bad',
  failed: 'bad',
  invalid: 'bad',
  needs_reauth: 'bad',
  unknown: 'bad',
}
const WORDS: Readonly<Record<string, string>> = {
  published: t`published`,
  ready: t`ready`,
  sent: t`sent`,
  delivered: t`delivered`,
  posted: t`posted`,
  finished: t`finished`,
  active: t`active`,
  approved: t`approved`,
  awaiting_approval: t`awaits approval`,
  changes_requested: t`changes requested`,
  held: t`held`,
  processing: t`processing`,
  pending: t`pending`,
  sending: t`sending`,
  publishing: t`publishing`,
  resting: t`resting`,
  rendering: t`rendering`,
  running: t`running`,
  publish_failed: t`failed`,
  partially_failed: t`partially failed`,
  failed: t`failed`,
  invalid: t`invalid`,
  needs_reauth: t`reconnect`,
  unknown: t`unknown`,
  unpublished: t`unpublished`,
  scheduled: t`scheduled`,
  cancelled: t`cancelled`,
  rejected: t`rejected`,
  mention: t`mention`,
  replied: t`replied`,
  dismissed: t`dismissed`,
  revoked: t`revoked`,
  seeded: t`seeded`,
  skipped: t`skipped`,
  draft: t`draft`,
  done: t`done`,
  waiting: t`waiting`,
  uploading: t`uploading`,
  unconfirmed: t`unconfirmed`,
}

/** A status in words; its color only repeats them. */
export function Status({ of }: { readonly of: string }) {
  return <span className={`status ${TONES[of] ?? 'calm'}`}>{WORDS[of] ?? of}</span>
}

/** The approval that a scheduled post has to get before it is published. */
export function approvalAwaited({ status, approval }: ScheduledPost): ScheduledPost['approval'] {
  return status === 'pending' && approval?.status !== 'approved' ? approval : undefined
}

/** The status of a post, and on how many of its accounts it is published. */
export function PostStatus({ of }: { readonly of: Post }) {
  const { succeeded, failed, pending } = of.summary
  return (
    <>
      <Status of={shownStatus(of)} />
      {of.origin === 'demo' && <Status of={t`Demo`} />}
      <span className="muted">
        <Plural
          value={succeeded + failed + pending}
          one={`${succeeded} of # accounts`}
          other={`${succeeded} of # accounts`}
        />
      </span>
    </>
  )
}

/** Never `published` while it has failed on an account. */
export function shownStatus({ status, summary }: Post): Post['status'] | 'partially_failed' {
  return status === 'published' && summary.failed > 0 ? 'partially_failed' : status
}

/** What a result says of the post on its account. */
export function resultStatus(result: PostResult): 'published' | 'unpublished' | 'unknown' | 'failed' {
  if (!result.ok) return result.outcome === 'unknown' ? 'unknown' : 'failed'
  return result.unpublish?.status === 'unpublished' ? 'unpublished' : 'published'
}

/** How many accounts it certainly is not published on. */
export function failedOn({ publishResults }: Post): number {
  return Object.values(publishResults)
    .flat()
    .filter((result) => !result.ok && result.accountId !== undefined && result.outcome !== 'unknown').length
}

/** An error in the API's words, with the request id that support needs. */
export function Problem({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  const requestId = requestIdOf(error)
  return (
    <div className="problem" role="alert">
      <p>{error.message}</p>
      {requestId && (
        <p className="hint">
          <Trans>Request {requestId}</Trans>
        </p>
      )}
      {onRetry && (
        <Button small onPress={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      )}
    </div>
  )
}

/** An empty state: what the page is for, and what to do first. */
export function Empty({
  title,
  children,
  action,
}: {
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  )
}

export function Card({
  title,
  icon,
  action,
  children,
}: {
  readonly title?: string
  readonly icon?: ReactNode
  readonly action?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className="card" aria-label={title}>
      {(title || action) && (
        <div className="card-head">
          {icon ? (
            <div className="item-line">
              {icon}
              <h2>{title}</h2>
            </div>
          ) : (
            title && <h2>{title}</h2>
          )}
          {action}
        </div>
      )}
      {children}
    </section>
  )
}

/** What stands where media cannot be shown. */
export const MEDIA_TYPES: Readonly<Record<Post['mediaType'], string>> = {
  image: t`image`,
  video: t`video`,
  document: t`document`,
  text: t`text`,
}

/** Links to media. */
export const OPEN = { image: t`Open the image`, video: t`Open the video`, document: t`Open the document` }

/** A placeholder for content that is loading. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div className="loading" role="status" aria-label={t`Loading`}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  )
}

/**
 * A thumbnail of the post's media, or a text for media that the browser cannot load, such as those only the service can reach.
 */
export function Thumb({
  url,
  copy = url,
  type,
}: {
  readonly url: string
  /** Where the service has it, if that is not the URL. */
  readonly copy?: string
  readonly type: Post['mediaType']
}) {
  const [isUnreadable, setUnreadable] = useState(false)
  return (
    <span className="thumb" data-type={type} data-name={MEDIA_TYPES[type]}>
      {type === 'image' && (
        <img
          // Browsers do not show HEIC or TIFF.
          src={isUnreadable ? smallImage(copy) : url}
          alt=""
          loading="lazy"
          onError={({ currentTarget }) => (isUnreadable ? (currentTarget.hidden = true) : setUnreadable(true))}
        />
      )}
      {type === 'video' && (
        <video
          src={`${url}#t=0.1`}
          preload="metadata"
          muted
          onError={({ currentTarget }) => (currentTarget.hidden = true)}
        />
      )}
    </span>
  )
}
