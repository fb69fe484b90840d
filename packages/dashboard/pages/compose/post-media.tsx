import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { smallImage } from '../../client/session-api.ts'
import type { PostBody, Preview } from '../../client/types.ts'
import { MEDIA_TYPES, Thumb } from '../../parts/shown.tsx'
import type { Look } from './looks.ts'

export type Items = NonNullable<PostBody['media']>

/** How many items a grid shows. */
const GRID = 4

/** The media of a post, cropped and arranged as a network does it. */
export function PostMedia({
  items,
  preview,
  look,
  fills,
}: {
  readonly items: Items
  readonly preview: Preview
  readonly look: Look
  /** Whether they fill the screen. */
  readonly fills: boolean
}) {
  const [at, setAt] = useState(0)
  const shown = (item: Items[number], index: number) => (
    <Shown key={`${index} ${item.url}`} item={item} preview={preview} />
  )
  const [only, ...more] = items
  if (!only) return null
  const style = { aspectRatio: fills ? 9 / 16 : ratioOf(preview, look) }
  if (more.length === 0) {
    return (
      <div className="post-media" style={style}>
        {shown(only, 0)}
      </div>
    )
  }
  if (look.several === 'grid') {
    const rest = items.length - GRID
    return (
      <div className="post-media grid" data-count={Math.min(items.length, GRID)}>
        {items.slice(0, GRID).map(shown)}
        {rest > 0 && <span className="media-count">+{rest}</span>}
      </div>
    )
  }
  const place = Math.min(at, items.length - 1)
  const step = (label: string, by: number) => (
    <button
      type="button"
      className="media-step"
      data-by={by}
      aria-label={label}
      disabled={items[place + by] === undefined}
      onClick={() => setAt(place + by)}
    >
      {by < 0 ? '‹' : '›'}
    </button>
  )
  return (
    <div className="post-media" style={style}>
      {items.slice(place, place + 1).map((item) => shown(item, place))}
      <span className="media-count">
        {place + 1}/{items.length}
      </span>
      {step(t`Previous item`, -1)}
      {step(t`Next item`, 1)}
    </div>
  )
}

/** An image that is changed is shown as it is sent. */
function Shown({
  item: { url, type },
  preview: { platform, options, changes },
}: {
  item: Items[number]
  preview: Preview
}) {
  if (type !== 'image' || !changes) return <Thumb url={url} type={type} />
  return (
    <span className="thumb as-sent" data-type={type} data-name={MEDIA_TYPES[type]}>
      <img
        src={smallImage(url, platform, options)}
        alt=""
        onError={({ currentTarget }) => (currentTarget.hidden = true)}
      />
    </span>
  )
}

function ratioOf({ media, items = [] }: Preview, { ratios: [tallest, widest] }: Look): number {
  const { width, height } = media ?? items[0] ?? {}
  return width && height ? Math.min(Math.max(width / height, tallest), widest) : 1
}
