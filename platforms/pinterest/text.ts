import type { TextLength } from '../kit/media-set.ts'

/** In characters (code points), from the API description. */
const TITLE_LIMIT = 100
const DESCRIPTION_LIMIT = 800

export interface PinText {
  /** Absent if no line is suitable. */
  readonly title?: string
  readonly description?: string
}

/**
 * The description is the whole caption, the title its first nonblank line. A first line too long for a title is a paragraph
 * and stays in the description only.
 */
export function pinText(caption: string): PinText {
  const title = caption
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .find((line) => line !== '')
  if (title === undefined) return {}
  return lengthOf(title) > TITLE_LIMIT ? { description: caption } : { title, description: caption }
}

export function measured(caption: string): TextLength {
  return { length: lengthOf(pinText(caption).description ?? ''), most: DESCRIPTION_LIMIT }
}

/** Nothing is truncated: too long a text is a broken rule. */
export function brokenTextRules(caption: string): readonly string[] {
  const { length } = measured(caption)
  return length > DESCRIPTION_LIMIT
    ? [
        `Pinterest accepts descriptions of at most ${DESCRIPTION_LIMIT} characters; this caption has ${length} with its hashtags.`,
      ]
    : []
}

function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** Whether two texts look the same to a reader; Pinterest may trim texts and collapse whitespace. */
export function sameText(one: string | null | undefined, other: string | null | undefined): boolean {
  return normal(one) === normal(other)
}

function normal(text: string | null | undefined): string {
  return (text ?? '').normalize('NFC').replaceAll(/\s+/gu, ' ').trim()
}
