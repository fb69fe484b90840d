const MOST_QUOTED = 100
const MOST_LISTED = 10
/** Longer than any of Fanfare's own names and ids. */
const MOST_OF_AN_ITEM = 50
/** A period, or a URL that is not in quotes or parentheses. */
const ENDED = /(?:\.|https?:\/\/\S*[^\s")])$/

/** How an attempt failed for good, by error code. */
export const FAILED = {
  no_account: 'failed',
  permanent: 'failed',
  needs_reauth: 'failed',
  gave_up: 'failed, with no retries left',
  timeout: 'timed out',
  unknown: 'may or may not have succeeded',
  missed: 'did not happen in time',
} as const

/**
 * Joins a fact and its detail into one line that ends with a period or a URL. External text can neither break the line nor
 * reverse its direction.
 *
 * @param detail included in full; nothing is added when it is blank
 */
export function sentence(fact: string, detail = ''): string {
  const text = [fact, detail]
    .map(oneLine)
    .filter((part) => part !== '')
    .join(': ')
  return ENDED.test(text) ? text : `${text}.`
}

/** The text in quotes, cut at 100 characters; empty when it is blank. */
export function quoted(text: string | undefined): string {
  const shown = cut(text ?? '', MOST_QUOTED)
  return shown === '' ? '' : `"${shown}"`
}

/** The first 10 items, each cut at 50 characters, and the number of the rest. */
export function listed(items: readonly string[]): string {
  const shown = items
    .slice(0, MOST_LISTED)
    .map((item) => cut(item, MOST_OF_AN_ITEM))
    .join(', ')
  return items.length > MOST_LISTED ? `${shown} and ${items.length - MOST_LISTED} more` : shown
}

/** For an event that contains the state of its stream (`StreamKind.close`). */
export const SUMMARIZED = 'The state was summarized: earlier events need not be read.'

/** `1 credit`, `2 credits`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** Numbers by name, for example `views 12, pin clicks 3`; absent ones are left out. */
export function numbered(numbers: Readonly<Record<string, number | undefined>>): string {
  return Object.entries(numbers)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${spelledOut(name)} ${value}`]))
    .join(', ')
}

/** The accounts that a post goes to. */
export function receivers(selections: Readonly<Record<string, readonly string[]>>): string {
  const platforms = Object.keys(selections)
  const accounts = Object.values(selections).flat().length
  return platforms.length === 0 ? 'no accounts' : `${counted(accounts, 'account')} on ${listed(platforms)}`
}

/** The model that wrote a text, with input and output tokens added up: `gpt-5, 310 tokens`. */
export function writer(by: {
  readonly model: string
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
}): string {
  const tokens = [by.inputTokens, by.outputTokens].filter((count) => count !== undefined)
  if (tokens.length === 0) return by.model
  const total = tokens.reduce((sum, count) => sum + count, 0)
  return `${by.model}, ${counted(total, 'token')}`
}

function cut(text: string, most: number): string {
  const line = oneLine(text)
  const characters = [...line]
  return characters.length > most ? `${characters.slice(0, most).join('').trimEnd()}…` : line
}

export function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

function spelledOut(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
}

/** How long posts can be taken back before they are published. */
export function undone(seconds: number): string {
  if (seconds === 0) return 'Posts are published at once'
  return `Posts can be taken back for ${counted(seconds, 'second')} before they are published`
}
