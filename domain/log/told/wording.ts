const MOST_QUOTED = 100
const MOST_LISTED = 10
/** Longer than any name or id of ours. */
const MOST_OF_AN_ITEM = 50
/** A period, or an address that stands in no quotes or brackets. */
const ENDED = /(?:\.|https?:\/\/\S*[^\s")])$/

/** How an attempt ended that failed for good, by its code. */
export const FAILED = {
  no_account: 'failed',
  permanent: 'failed',
  needs_reauth: 'failed',
  gave_up: 'failed, and was given up',
  timeout: 'took too long, and was given up',
  unknown: 'may or may not have succeeded',
  missed: 'did not happen in time',
} as const

/**
 * A fact, and what explains or shows it, as one line that ends with a period or an address. Whatever came from outside
 * can neither break the line nor turn it around.
 *
 * @param detail given whole; nothing is added for a blank one
 */
export function sentence(fact: string, detail = ''): string {
  const told = [fact, detail]
    .map(oneLine)
    .filter((part) => part !== '')
    .join(': ')
  return ENDED.test(told) ? told : `${told}.`
}

/** A text of any length in quotes, cut at 100 characters; empty when it is blank. */
export function quoted(text: string | undefined): string {
  const told = cut(text ?? '', MOST_QUOTED)
  return told === '' ? '' : `"${told}"`
}

/** The first 10 items, each cut at 50 characters, and how many more there are. */
export function listed(items: readonly string[]): string {
  const told = items
    .slice(0, MOST_LISTED)
    .map((item) => cut(item, MOST_OF_AN_ITEM))
    .join(', ')
  return items.length > MOST_LISTED ? `${told} and ${items.length - MOST_LISTED} more` : told
}

/** `1 credit`, `2 credits`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Numbers by name, as `views 12, pin clicks 3`; those that are absent are left out. */
export function numbered(numbers: Readonly<Record<string, number | undefined>>): string {
  return Object.entries(numbers)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${spelledOut(name)} ${value}`]))
    .join(', ')
}

/** The accounts that a post goes to. */
export function receivers(selections: Readonly<Record<string, readonly string[]>>): string {
  const platforms = Object.keys(selections)
  const accounts = Object.values(selections).flat().length
  return platforms.length === 0 ? 'no account' : `${counted(accounts, 'account')} on ${listed(platforms)}`
}

/** Who wrote a text: `gpt-5, 310 tokens`, of what was read and written. */
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
  const told = oneLine(text)
  const characters = [...told]
  return characters.length > most ? `${characters.slice(0, most).join('').trimEnd()}…` : told
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

function spelledOut(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
}
