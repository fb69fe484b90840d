import { trimEnd } from './trim-end.ts'

/** Shorter secrets are easily guessed, and occur as ordinary words. */
const SHORTEST = 8
/** A truncated secret is recognized by this many leading characters. */
const BEGINNING = 12
const HIDDEN = '[secret]'

export type Hide = (text: string) => string

/** Redacts secrets in text: verbatim, in JSON, URLs, base64 and hexadecimal, whole or truncated. */
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

/** A secret inside the base64 of a longer text, where it starts at one of three offsets within a group. */
function base64Within(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  // Drops the characters at the edges that share bits with neighboring bytes.
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

/** How many characters of the form match the text at a position. */
function sameLength(text: string, at: number, form: string): number {
  let length = 0
  while (length < form.length && text[at + length] === form[length]) length += 1
  return length
}
