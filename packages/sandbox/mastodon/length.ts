import { LIMITS } from './instance.ts'
import { invalid } from './refusal.ts'

const { max_characters, characters_reserved_per_url } = LIMITS.statuses

const LINK = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'’”…]/giu
const REMOTE = /(?<![\w/@])(@[\w.]*\w)@[\w.-]*\w/g

/** Characters as Mastodon counts them. */
function counted(text: string): number {
  const link = 'x'.repeat(characters_reserved_per_url)
  const plain = text.replaceAll(LINK, link).replaceAll(REMOTE, '$1')
  return [...new Intl.Segmenter().segment(plain)].length
}

/** @throws StandInRefusal 422 */
export function mustFit(status: string, warning = '', media = 0): void {
  if (status.trim() === '' && media === 0) throw invalid("Text can't be blank")
  if (counted(warning + status) > max_characters) throw invalid(`Text character limit of ${max_characters} exceeded`)
}
