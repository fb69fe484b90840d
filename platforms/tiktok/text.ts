import type { PostType } from '../../domain/core/platform.ts'
import type { Checked, TextLength } from '../kit/media-set.ts'

/** In UTF-16 units, as TikTok counts. */
const VIDEO_LIMIT = 2_200
const PHOTO_LIMIT = 4_000
const PHOTO_TITLE_LIMIT = 90

/** A video has only a caption, in the title field. */
export function videoText(text: string): { readonly title?: string } {
  return text === '' ? {} : { title: text }
}

/** The title is the first nonblank line, shortened if need be. The description is the whole text, so nothing is lost. */
export function photoText(text: string): { readonly title?: string; readonly description?: string } {
  const line = text
    .split(/[\r\n\u2028\u2029]+/)
    .map((each) => each.trim())
    .find((each) => each !== '')
  return {
    ...(line !== undefined && { title: shortened(line) }),
    ...(text !== '' && { description: text }),
  }
}

export function measure({ text, mediaType }: Pick<Checked, 'text' | 'mediaType'>): TextLength {
  return { length: text.length, most: mediaType === 'video' ? VIDEO_LIMIT : PHOTO_LIMIT }
}

/** Nothing is truncated: too long a text is a broken rule. */
export function brokenTextRules(text: string, mediaType: PostType): readonly string[] {
  const { length, most } = measure({ text, mediaType })
  return length > most
    ? [
        `TikTok accepts captions of at most ${most} characters with ${mediaType}s; this one has ${length} with its hashtags.`,
      ]
    : []
}

/** Whether two texts look the same to a reader; TikTok may trim texts and collapse whitespace. */
export function sameText(one: string, other: string): boolean {
  return normal(one) === normal(other)
}

function normal(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim()
}

function shortened(line: string): string {
  if (line.length <= PHOTO_TITLE_LIMIT) return line
  let cut = ''
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (cut.length + segment.length >= PHOTO_TITLE_LIMIT) break
    cut += segment
  }
  return `${cut.trimEnd()}…`
}
