import type {
  ChainBody,
  Destination,
  DraftBody,
  EditBody,
  MediaType,
  PostBody,
  SavedDraft,
  ScheduledPost,
  Selections,
} from '../../client/types.ts'
import { addDays, OWN_ZONE, today } from '../../parts/time.ts'
import type { Item } from '../../parts/use-uploads.ts'

/** The form's state while a post is written. */
export interface Draft {
  readonly media: readonly Item[]
  /** Of a last item, which is being typed. */
  readonly mediaUrl: string
  /** `auto` until chosen: derived from the end of the URL. */
  readonly mediaType: 'auto' | MediaType
  readonly selections: Selections
  readonly caption: string
  /** The parts that follow as replies. */
  readonly parts: ChainBody['parts']
  /** It was text alone or a chain when it was scheduled, and stays one. */
  readonly wasChain: boolean
  readonly overrides: Readonly<Record<string, string>>
  /** By account; the default where there is none. */
  readonly destinations: Readonly<Record<string, Destination['options'] | undefined>>
  /** By platform. */
  readonly options: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly hashtags: string
  readonly firstComment: string
  readonly when: 'now' | 'slot' | 'later'
  readonly date: string
  readonly time: string
  readonly timezone: string
}

const VIDEO = /\.(mp4|mov|m4v|webm|mpe?g)$/i
const DOCUMENT = /\.(pdf|docx?|pptx?)$/i

/** @param query values that other pages fill in: a video's URL, a file of the library, a day, an hour and an account of the calendar */
export function newDraft(query: URLSearchParams): Draft {
  const date = query.get('date')
  const [url, type] = [query.get('mediaUrl') ?? '', query.get('mediaType')]
  const [platform, account] = [query.get('platform'), query.get('account')]
  const isFile = type === 'image' || type === 'video' || type === 'document'
  return {
    media: isFile ? [itemOf({ url, type, altText: query.get('altText') ?? '' }, 0)] : [],
    mediaUrl: isFile ? '' : url,
    mediaType: 'auto',
    selections: platform && account ? { [platform]: [account] } : {},
    caption: query.get('caption') ?? '',
    parts: [],
    wasChain: false,
    overrides: {},
    destinations: {},
    options: {},
    hashtags: '',
    firstComment: '',
    when: date ? 'later' : 'now',
    date: date ?? addDays(today(), 1),
    time: query.get('time') ?? '09:00',
    timezone: OWN_ZONE,
  }
}

/** What was written before. */
export function draftOf(saved: ScheduledPost | SavedDraft): Draft {
  const { mediaUrl, mediaType, media, selections, caption, captionOverrides, hashtags, firstComment } = saved
  const single = mediaUrl && mediaType && mediaType !== 'text' ? [{ url: mediaUrl, type: mediaType }] : []
  return {
    ...newDraft(new URLSearchParams()),
    media: (media ?? single).map(itemOf),
    selections: selections ?? {},
    caption: caption ?? '',
    parts: 'parts' in saved ? (saved.parts?.slice(1).map(partOf) ?? []) : [],
    wasChain: 'date' in saved && (mediaType === 'text' || 'parts' in saved),
    overrides: captionOverrides ?? {},
    destinations: (saved.accountOptions ?? {}) as Draft['destinations'],
    options: saved.platformOptions ?? {},
    hashtags: hashtags?.join(' ') ?? '',
    firstComment: firstComment ?? '',
    ...('date' in saved && dueIn(saved)),
  }
}

function dueIn({ approval, date, time, timezone }: ScheduledPost): Partial<Draft> {
  const isTimeless = approval?.publishes === 'on_approval' && approval.status !== 'approved'
  return isTimeless ? { when: 'now' } : { when: 'later', date, time, timezone }
}

function partOf({ media, ...part }: NonNullable<ScheduledPost['parts']>[number]): ChainBody['parts'][number] {
  return media.length > 0 ? { ...part, media } : part
}

function itemOf(
  { url, type, altText = '', thumbnailUrl }: NonNullable<PostBody['media']>[number],
  index: number,
): Item {
  return { key: `${index} ${url}`, url, type, altText, ...(thumbnailUrl && { thumbnailUrl }) }
}

export function mediaTypeOf({ mediaType, mediaUrl }: Pick<Draft, 'mediaType' | 'mediaUrl'>): MediaType {
  if (mediaType !== 'auto') return mediaType
  const { pathname = '' } = URL.canParse(mediaUrl) ? new URL(mediaUrl) : {}
  if (DOCUMENT.test(pathname)) return 'document'
  return VIDEO.test(pathname) ? 'video' : 'image'
}

/** The media of a draft, without those that are being uploaded. */
export function mediaOf(draft: Draft): NonNullable<PostBody['media']> {
  const typed = draft.mediaUrl ? [{ url: draft.mediaUrl, type: mediaTypeOf(draft) }] : []
  const chosen = draft.media.flatMap(({ url, type, altText, thumbnailUrl }) =>
    url ? [{ url, type, ...(altText && { altText }), ...(thumbnailUrl && { thumbnailUrl }) }] : [],
  )
  return [...chosen, ...typed]
}

/** Whether it is text alone, or a chain. */
export function isChain(draft: Draft): boolean {
  return draft.wasChain || draft.parts.length > 0 || (draft.media.length === 0 && draft.mediaUrl === '')
}

/** The request body for text alone or a chain. */
export function chainOf(draft: Draft): Pick<ChainBody, 'parts' | 'selections' | 'accountOptions' | 'platformOptions'> {
  const { selections, accountOptions, platformOptions, caption = '', captionOverrides, hashtags = [] } = bodyOf(draft)
  const tags = hashtags.map((tag) => `#${tag.replace(/^#+/, '')}`).join(' ')
  const media = mediaOf(draft)
  const withTags = (text: string) => [text, tags].filter((words) => words !== '').join('\n\n')
  const textOverrides = Object.entries(captionOverrides ?? {}).map(([key, text]) => [key, withTags(text)] as const)
  const first = {
    text: withTags(caption),
    ...(textOverrides.length > 0 && { textOverrides: Object.fromEntries(textOverrides) }),
    ...(media.length > 0 && { media }),
  }
  return {
    ...{ parts: [first, ...draft.parts], selections },
    ...(accountOptions && { accountOptions }),
    ...(platformOptions && { platformOptions }),
  }
}

/** The request body for a draft. */
export function bodyOf(draft: Draft): PostBody {
  const hashtags = draft.hashtags.split(/[\s,]+/).filter((tag) => tag !== '' && tag !== '#')
  const chosen = Object.keys(draft.selections)
  const overrides = Object.entries(draft.overrides).filter(([key, text]) => chosen.includes(key) && text !== '')
  const accountOptions = Object.fromEntries(
    Object.values(draft.selections)
      .flat()
      .flatMap((id) => (draft.destinations[id] ? [[id, draft.destinations[id]]] : [])),
  )
  const platformOptions = Object.fromEntries(
    Object.entries(draft.options).filter(([key, options]) => chosen.includes(key) && Object.keys(options).length > 0),
  )
  return {
    media: mediaOf(draft),
    selections: draft.selections,
    ...(draft.caption && { caption: draft.caption }),
    ...(overrides.length > 0 && { captionOverrides: Object.fromEntries(overrides) }),
    ...(hashtags.length > 0 && { hashtags }),
    ...(draft.firstComment && { firstComment: draft.firstComment }),
    ...(Object.keys(accountOptions).length > 0 && { accountOptions }),
    ...(Object.keys(platformOptions).length > 0 && { platformOptions }),
  }
}

/** When it is to be published. */
export function dueOf({ when, date, time, timezone }: Draft) {
  return when === 'slot' ? { scheduledFor: 'next-slot' } : { date, time, timezone }
}

/** The same for a change: what is not in the form any more is removed. */
export function changesOf(draft: Draft): EditBody {
  return isChain(draft) ? { accountOptions: null, platformOptions: null, ...chainOf(draft) } : wholeOf(draft)
}

function wholeOf(draft: Draft) {
  const emptied = {
    caption: '',
    captionOverrides: {},
    hashtags: [],
    firstComment: null,
    accountOptions: null,
    platformOptions: null,
  }
  return { ...emptied, ...bodyOf(draft) }
}

/** The body of a saved draft, which may lack anything. */
export function savedAs(draft: Draft): DraftBody {
  const { selections } = draft
  const { caption: text, media, ...rest } = wholeOf(draft)
  const fields = { ...rest, selections: Object.keys(selections).length > 0 ? selections : null }
  const shown = media && media.length > 0 ? media : undefined
  if (draft.parts.length === 0) return { ...fields, caption: text, media: shown ?? null, parts: null }
  return { ...fields, parts: [{ text, ...(shown && { media: shown }) }, ...draft.parts] }
}

export function canBeLookedAt(draft: Draft): boolean {
  const media = mediaOf(draft)
  const hasContent = media.length > 0 || draft.caption.trim() !== ''
  return hasContent && media.every(({ url }) => URL.canParse(url)) && Object.keys(draft.selections).length > 0
}

/** Whether a file has not arrived yet, or cannot. */
export function isUploading({ media }: Draft): boolean {
  return media.some(({ url }) => url === '')
}
