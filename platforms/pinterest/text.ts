/** Characters (code points), by the API description. */
const TITLE_LIMIT = 100
const DESCRIPTION_LIMIT = 800

export interface PinText {
  /** Absent when there is no line that is one. */
  readonly title?: string
  readonly description?: string
}

/**
 * The description is the whole caption, the title its first line that is not blank. A first line too long for a title is a
 * paragraph: the Pin then has none, and nothing is lost.
 */
export function pinText(caption: string): PinText {
  const title = caption
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .find((line) => line !== '')
  if (title === undefined) return {}
  return lengthOf(title) > TITLE_LIMIT ? { description: caption } : { title, description: caption }
}

/** Nothing is cut: what is too long is a broken rule. */
export function brokenTextRules(caption: string): readonly string[] {
  const length = lengthOf(pinText(caption).description ?? '')
  return length > DESCRIPTION_LIMIT
    ? [`Pinterest takes descriptions of ${DESCRIPTION_LIMIT} characters, this caption with its hashtags has ${length}.`]
    : []
}

function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** Two texts that a reader can't tell apart: Pinterest may trim, and join white space. */
export function sameText(one: string | null | undefined, other: string | null | undefined): boolean {
  return normal(one) === normal(other)
}

function normal(text: string | null | undefined): string {
  return (text ?? '').normalize('NFC').replaceAll(/\s+/gu, ' ').trim()
}
