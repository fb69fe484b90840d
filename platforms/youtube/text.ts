import type { MediaFacts } from '../../infra/media/media.ts'

/** Characters; which sort is not documented, so the one is counted that gives the largest number (UTF-16). */
const TITLE_LIMIT = 100
/** Bytes of UTF-8. */
const DESCRIPTION_LIMIT = 5_000
/** With one more, YouTube ignores them all. */
const HASHTAG_LIMIT = 60
const HOURS_LIMIT = 12
/** Characters, counted as those of a title. YouTube has a limit and does not document it; this is the one that is known. */
const REPLY_LIMIT = 10_000

/** Of a video without a caption: it has to have one. */
const UNTITLED = 'Video'

const segmenter = new Intl.Segmenter()

/** The caption's first line that says something. The whole caption is the description, so nothing is lost where it is cut. */
export function titleOf(text: string): string {
  const line = text.split(/[\r\n\u2028\u2029]+/).find((each) => each.trim() !== '')
  const title = line?.trim() ?? UNTITLED
  if (title.length <= TITLE_LIMIT) return title
  let cut = ''
  for (const { segment } of segmenter.segment(title)) {
    if (cut.length + segment.length >= TITLE_LIMIT) break
    cut += segment
  }
  return `${cut.trimEnd()}…`
}

/** The rules that a description breaks. Nothing is cut or replaced: what is refused here the user can change. */
export function brokenTextRules(text: string): readonly string[] {
  const bytes = Buffer.byteLength(text, 'utf8')
  const hashtags = text.match(/(?<![\p{L}\p{N}_&#])#[\p{L}\p{N}_]+/gu)?.length ?? 0
  const sign = /[<>]/.exec(text)?.[0]
  return [
    ...(bytes > DESCRIPTION_LIMIT
      ? [`YouTube takes descriptions of ${DESCRIPTION_LIMIT} bytes, this caption has ${bytes}.`]
      : []),
    ...(sign === undefined
      ? []
      : [`YouTube takes neither < nor > in a title or description, this caption has ${sign}.`]),
    ...(hashtags > HASHTAG_LIMIT
      ? [`YouTube ignores all hashtags of a video that has more than ${HASHTAG_LIMIT}, this caption has ${hashtags}.`]
      : []),
  ]
}

/** That an unverified channel may only have 15 minutes, YouTube alone knows. */
export function brokenVideoRules(facts: MediaFacts | undefined): readonly string[] {
  const hours = (facts?.durationMs ?? 0) / 3_600_000
  return hours > HOURS_LIMIT
    ? [`YouTube takes videos of ${HOURS_LIMIT} hours, this one has ${(Math.ceil(hours * 100) / 100).toFixed(2)}.`]
    : []
}

/** The rules that the text of a reply breaks. */
export function brokenReplyRules(text: string): readonly string[] {
  return text.length > REPLY_LIMIT
    ? [`YouTube takes comments of ${REPLY_LIMIT} characters, this reply has ${text.length}.`]
    : []
}

/** Whether one text may be the other: YouTube may trim it, and change the ends of lines. */
export function sameText(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

function plain(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}
