import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Post, ScheduledPost } from '../../client/types.ts'
import { OPEN } from '../../parts/shown.tsx'

type Items = NonNullable<Post['media']>

/** What a post shows, and a line about it. */
export function Content({ post, children }: { readonly post: Post | ScheduledPost; readonly children: ReactNode }) {
  return (
    <div className="post-head">
      {post.mediaType === 'image' && (
        <img src={post.mediaUrl} alt="" onError={({ currentTarget }) => (currentTarget.hidden = true)} />
      )}
      {post.mediaType === 'video' && <video src={post.mediaUrl} controls preload="metadata" />}
      <div className="stack">
        <p className="text">
          {post.caption || (
            <span className="muted">
              <Trans>No caption</Trans>
            </span>
          )}
        </p>
        {post.hashtags.length > 0 && (
          <p className="muted">{post.hashtags.map((tag) => `#${tag.replace(/^#+/, '')}`).join(' ')}</p>
        )}
        <p className="hint">{children}</p>
        {post.media && <Links media={post.media} />}
        {post.parts && <LaterParts parts={post.parts.slice(1)} />}
      </div>
    </div>
  )
}

function Links({ media }: { readonly media: Items }) {
  return media.map(({ url, type, altText }, index) => (
    <p key={index} className="hint">
      <a href={url}>{altText || OPEN[type]}</a>
    </p>
  ))
}

function LaterParts({ parts }: { readonly parts: NonNullable<Post['parts']> }) {
  return (
    <ol className="chain" start={2}>
      {parts.map(({ text, media }, index) => (
        <li key={index}>
          <p className="text">{text}</p>
          <Links media={media} />
        </li>
      ))}
    </ol>
  )
}
