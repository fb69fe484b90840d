import type { Destination, PostBody, Selections } from '../../client/types.ts'
import { addDays, OWN_ZONE, today } from '../../parts/time.ts'

/** The form's state while a post is written. */
export interface Draft {
  readonly mediaUrl: string
  /** `auto` until chosen: derived from the end of the URL. */
  readonly mediaType: 'auto' | 'image' | 'video'
  readonly selections: Selections
  readonly caption: string
  readonly overrides: Readonly<Record<string, string>>
  /** By account; the default where there is none. */
  readonly destinations: Readonly<Record<string, Destination['options'] | undefined>>
  readonly hashtags: string
  readonly firstComment: string
  readonly when: 'now' | 'later'
  readonly date: string
  readonly time: string
  readonly timezone: string
}

const VIDEO = /\.(mp4|mov|m4v|webm|mpe?g)$/i

/** @param query values that other pages fill in: a video's URL, a day of the calendar */
export function newDraft(query: URLSearchParams): Draft {
  const date = query.get('date')
  return {
    mediaUrl: query.get('mediaUrl') ?? '',
    mediaType: 'auto',
    selections: {},
    caption: query.get('caption') ?? '',
    overrides: {},
    destinations: {},
    hashtags: '',
    firstComment: '',
    when: date ? 'later' : 'now',
    date: date ?? addDays(today(), 1),
    time: '09:00',
    timezone: OWN_ZONE,
  }
}

export function mediaTypeOf({ mediaType, mediaUrl }: Draft): 'image' | 'video' {
  if (mediaType !== 'auto') return mediaType
  const { pathname = '' } = URL.canParse(mediaUrl) ? new URL(mediaUrl) : {}
  return VIDEO.test(pathname) ? 'video' : 'image'
}

/** The request body for a draft. */
export function bodyOf(draft: Draft): PostBody & Required<Pick<PostBody, 'mediaUrl' | 'mediaType'>> {
  const hashtags = draft.hashtags.split(/[\s,]+/).filter((tag) => tag !== '' && tag !== '#')
  const chosen = Object.keys(draft.selections)
  const overrides = Object.entries(draft.overrides).filter(([key, text]) => chosen.includes(key) && text !== '')
  const accountOptions = Object.fromEntries(
    Object.values(draft.selections)
      .flat()
      .flatMap((id) => (draft.destinations[id] ? [[id, draft.destinations[id]]] : [])),
  )
  return {
    mediaUrl: draft.mediaUrl,
    mediaType: mediaTypeOf(draft),
    selections: draft.selections,
    ...(draft.caption && { caption: draft.caption }),
    ...(overrides.length > 0 && { captionOverrides: Object.fromEntries(overrides) }),
    ...(hashtags.length > 0 && { hashtags }),
    ...(draft.firstComment && { firstComment: draft.firstComment }),
    ...(Object.keys(accountOptions).length > 0 && { accountOptions }),
  }
}

export function canBeLookedAt({ mediaUrl, selections }: Draft): boolean {
  return URL.canParse(mediaUrl) && Object.keys(selections).length > 0
}
