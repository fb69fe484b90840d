import { Trans } from '@lingui/react/macro'
import type { Preview } from '../../client/types.ts'
import { useAccountName, usePlatformName } from '../../parts/accounts.tsx'
import { cardOf, lookOf, type Look } from './looks.ts'
import { PostMedia, type Items } from './post-media.tsx'
import { PostText } from './post-text.tsx'

interface PartOfPost {
  readonly text: string
  readonly items: Items
}

/** A post as it would look on a network. */
export function NetworkPost({ preview, parts }: { readonly preview: Preview; readonly parts: readonly PartOfPost[] }) {
  const { platform, accountId, title, textLength, firstComment, options } = preview
  const [platformName, accountName] = [usePlatformName(), useAccountName()]
  const look = lookOf(platform)
  const name = accountName(accountId)
  const [first, ...later] = parts
  if (!first) return null
  const isStory = options?.['placement'] === 'story'
  const fills = isStory || doesFill(look, first.items, preview)
  const text = isStory || (fills && look.isTitled) ? '' : first.text
  const words = text !== '' && (
    <PostText text={text} length={textLength?.length} look={look} author={look.isSigned && !fills ? name : undefined} />
  )
  const heading = title !== undefined && !isStory && <p className="post-title">{title}</p>
  const author = (
    <p className="post-author">
      <span className="avatar" aria-hidden>
        {name.slice(0, 1)}
      </span>
      <b>{name}</b>
    </p>
  )
  const media = <PostMedia items={first.items} preview={preview} look={look} fills={fills} />
  const card = cardOf(look, { text, options, hasMedia: first.items.length > 0 })
  return (
    <article className="post-shown" aria-label={`${platformName(platform)}, ${name}`}>
      {fills ? (
        <div className="post-full">
          {media}
          <div className="post-over">
            {author}
            {heading}
            {words}
          </div>
        </div>
      ) : (
        <>
          {author}
          {look.text === 'above' && words}
          {media}
          {heading}
          {look.text === 'below' && words}
        </>
      )}
      {card !== undefined && (
        <div className="link-card">
          <span>{card}</span>
          <span className="hint">
            <Trans>Title and image come from the page.</Trans>
          </span>
        </div>
      )}
      {later.map(({ text, items }, index) => (
        <div key={index} className="post-reply">
          <PostText text={text} look={look} author={name} />
          <PostMedia items={items} preview={preview} look={look} fills={false} />
        </div>
      ))}
      {firstComment !== undefined && (
        <div className="post-reply">
          <p className="hint">
            <Trans>First comment</Trans>
          </p>
          <PostText text={firstComment} look={look} author={name} />
        </div>
      )}
    </article>
  )
}

function doesFill({ fills }: Look, items: Items, { media }: Preview): boolean {
  if (fills === undefined || items.length === 0) return false
  if (fills === 'all') return true
  const isVideo = items.length === 1 && items[0]?.type === 'video'
  const { width = 0, height = 0 } = media ?? {}
  return isVideo && (fills === 'video' || height > width)
}
