import { trimEnd } from './trim-end.ts'

/** Shorter ones are words that stand in texts anyway, and a guess away. */
const SHORTEST = 8
/** What was cut off is found by as many characters of its beginning. */
const BEGINNING = 12
const HIDDEN = '[secret]'

export type Hide = (text: string) => string

/** Hides secrets in texts: as they are, in JSON, URLs, base64 and hexadecimal, whole or cut off. */
export function hiding(secrets: Iterable<string>): Hide {
  const byBeginning = new Map<string, string[]>()
  for (const secret of secrets) {
    if (secret.length < SHORTEST) continue
    for (const form of new Set(formsOf(secret))) {
      const beginning = form.slice(0, BEGINNING)
      byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), form])
    }
  }
  const known = [...byBeginning]
  return (text) => known.reduce((left, [beginning, forms]) => withoutForms(left, beginning, forms), text)
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const base64 = [0, 1, 2].map((offset) => base64Within(bytes, offset))
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ]
}

/** As it stands in the base64 of something longer, where it begins at one of three places within a group. */
function base64Within(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  // Characters that hold bits of the neighbours, too, are theirs.
  return trimEnd(encoded.slice(Math.ceil((offset * 8) / 6)), /^=$/).slice(0, -1)
}

function withoutForms(text: string, beginning: string, forms: readonly string[]): string {
  let from = 0
  let hidden = ''
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, from)) {
    hidden += text.slice(from, at) + HIDDEN
    from = at + Math.max(...forms.map((form) => sameLength(text, at, form)))
  }
  return hidden + text.slice(from)
}

/** How far a text is the form from a place on. */
function sameLength(text: string, at: number, form: string): number {
  let length = 0
  while (length < form.length && text[at + length] === form[length]) length += 1
  return length
}
