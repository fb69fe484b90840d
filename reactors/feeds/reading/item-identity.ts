import { createHash } from 'node:crypto'

const MAX_LENGTH = 500

/**
 * What identifies an item across reads: its guid or id, else its link, else a hash of its content.
 *
 * @returns undefined for an empty item
 */
export function identityOf(from: {
  readonly ids: readonly string[]
  readonly link: string | undefined
  readonly title: string
  readonly content: string
}): string | undefined {
  const named = [...from.ids, from.link ?? ''].map((name) => name.trim()).find((name) => name !== '')
  if (named !== undefined) return named.length > MAX_LENGTH ? hash(named) : named
  return from.title === '' && from.content === '' ? undefined : hash(JSON.stringify([from.title, from.content]))
}

function hash(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
