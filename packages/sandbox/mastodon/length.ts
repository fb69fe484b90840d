import { LIMITS } from './instance.ts'

const LINK = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'’”…]/giu
const REMOTE = /(?<![\w/@])(@[\w.]*\w)@[\w.-]*\w/g

/** Characters as Mastodon counts them. */
export function counted(text: string): number {
  const link = 'x'.repeat(LIMITS.statuses.characters_reserved_per_url)
  const plain = text.replaceAll(LINK, link).replaceAll(REMOTE, '$1')
  return [...new Intl.Segmenter().segment(plain)].length
}
