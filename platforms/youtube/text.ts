import type { MediaFacts } from '../../infra/media/media.ts'
import type { TextLength } from '../kit/media-set.ts'

/** In UTF-16 units, the largest count: YouTube does not document what a character is. */
export const TITLE_LIMIT = 100
/** In UTF-8 bytes. */
export const DESCRIPTION_LIMIT = 5_000
/** Beyond this, YouTube ignores all hashtags. */
const HASHTAG_LIMIT = 60
const HOURS_LIMIT = 12
/** Counted like a title. YouTube does not document its limit; this is the known one. */
const REPLY_LIMIT = 10_000

/** The title of a video without a caption, as YouTube requires one. */
const UNTITLED = 'Video'

/** What people read of a video. */
export interface VideoText {
  readonly title: string
  readonly description: string
}

/** The caption's first nonblank line, shortened if need be. The description is the whole caption, so nothing is lost. */
export function titleOf(text: string): string {
  const line = text.split(/[\r\n\u2028\u2029]+/).find((each) => each.trim() !== '')
  const title = line?.trim() ?? UNTITLED
  if (title.length <= TITLE_LIMIT) return title
  let cut = ''
  for (const { segment } of new Intl.Segmenter().segment(title)) {
    if (cut.length + segment.length >= TITLE_LIMIT) break
    cut += segment
  }
  return `${cut.trimEnd()}…`
}

export function measured({ description }: VideoText): TextLength {
  return { length: Buffer.byteLength(description, 'utf8'), most: DESCRIPTION_LIMIT, unit: 'bytes' }
}

/** The rules that a video's text breaks. Nothing is truncated or replaced; the user has to change the text. */
export function brokenTextRules(text: VideoText): readonly string[] {
  const { title, description } = text
  const { length: bytes } = measured(text)
  const hashtags = description.match(/(?<![\p{L}\p{N}_&#])#[\p{L}\p{N}_]+/gu)?.length ?? 0
  const sign = /[<>]/.exec(`${title}${description}`)?.[0]
  return [
    ...(bytes > DESCRIPTION_LIMIT
      ? [`YouTube accepts descriptions of at most ${DESCRIPTION_LIMIT} bytes; this caption has ${bytes}.`]
      : []),
    ...(sign === undefined
      ? []
      : [`YouTube does not accept < or > in a title or description; this caption contains ${sign}.`]),
    ...(hashtags > HASHTAG_LIMIT
      ? [`YouTube ignores all hashtags of a video that has more than ${HASHTAG_LIMIT}; this one has ${hashtags}.`]
      : []),
  ]
}

/** Only YouTube can check the limit of 15 minutes for unverified channels. */
export function brokenVideoRules(facts: MediaFacts | undefined): readonly string[] {
  const hours = (facts?.durationMs ?? 0) / 3_600_000
  return hours > HOURS_LIMIT
    ? [
        `YouTube accepts videos of at most ${HOURS_LIMIT} hours; this one is ${(Math.ceil(hours * 100) / 100).toFixed(2)} hours.`,
      ]
    : []
}

/** The rules that a reply's text breaks. */
export function brokenReplyRules(text: string): readonly string[] {
  return text.length > REPLY_LIMIT
    ? [`YouTube accepts comments of at most ${REPLY_LIMIT} characters; this one has ${text.length}.`]
    : []
}

/** Whether two texts may be the same; YouTube may trim texts and change line breaks. */
export function sameText(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

function plain(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}
