import { distance } from 'fastest-levenshtein'

/** Shorter words resemble too many others. */
const SHORTEST_WORD = 3
const LETTERS_PER_EDIT = 4

/** The known name, of words joined by `_` or in camel case, that another is probably a misspelling of; undefined when there is none. */
export function likeliestName(given: string, known: readonly string[]): string | undefined {
  const letters = (name: string) => name.replaceAll('_', '').toLowerCase()
  const [own, words] = [letters(given), given.split('_')]
  return known.find((name) => own === letters(name) || areAlike(words, name.split('_')))
}

/** Word by word: as a whole, `API_TIMEOUT` is close to `AI_TIMEOUT`. */
function areAlike(words: readonly string[], others: readonly string[]): boolean {
  return words.length === others.length && words.every((word, index) => isAlike(word, others[index] ?? ''))
}

function isAlike(word: string, other: string): boolean {
  if (word === other) return true
  const shortest = Math.min(word.length, other.length)
  const edits = Math.ceil(shortest / LETTERS_PER_EDIT)
  // A caller may give a name of millions of letters.
  if (shortest < SHORTEST_WORD || Math.abs(word.length - other.length) > edits) return false
  return distance(word, other) <= edits
}

/**
 * What is wrong with environment variables that are probably misspelled settings. The environment is not ours alone, so a variable
 * counts only when its name resembles a setting's.
 */
export function misspelledSettings(given: readonly string[], settings: readonly string[]): readonly string[] {
  // A single word, such as PORT, resembles too many others. OpenTelemetry has more variables than we read, also alike.
  const known = settings.filter((name) => name.includes('_') && !name.startsWith('OTEL_'))
  return given.flatMap((name) => {
    const meant = settings.includes(name) ? undefined : likeliestName(name, known)
    return meant === undefined ? [] : [`${name}: is not a setting. Did you mean ${meant}? If not, unset it`]
  })
}
