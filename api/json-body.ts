import { Refusal } from '../domain/errors.ts'
import { pathOf } from './validation.ts'

/** Deeper than any body of ours, and shallow enough for everything that walks it. */
const MAX_DEPTH = 64

/**
 * The JSON value of a request body. Stricter than JSON.parse: a name that stands twice in one object is refused, because
 * of two values one would be dropped without a word (RFC 8259 §4).
 *
 * @throws Refusal invalid_request
 */
export function parseBody(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Refusal('invalid_request', `the body is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
  scan(text)
  return value
}

interface Level {
  /** Names seen so far; undefined in an array. */
  readonly names: Set<string> | undefined
  /** The name or index we are at. */
  at: string | number
  expectsName: boolean
}

/** Walks text that is known to be JSON. */
function scan(text: string): void {
  const levels: Level[] = []
  for (let i = 0; i < text.length; i += 1) {
    const level = levels.at(-1)
    switch (text[i]) {
      case '{':
      case '[':
        if (levels.length >= MAX_DEPTH)
          throw new Refusal('invalid_request', `the body is nested deeper than ${MAX_DEPTH} levels`)
        levels.push(
          text[i] === '{'
            ? { names: new Set(), at: '', expectsName: true }
            : { names: undefined, at: 0, expectsName: false },
        )
        break
      case '}':
      case ']':
        levels.pop()
        break
      case ',':
        if (level?.names) level.expectsName = true
        else if (level && typeof level.at === 'number') level.at += 1
        break
      case '"': {
        const end = endOfString(text, i)
        if (level?.names && level.expectsName) {
          const name: unknown = JSON.parse(text.slice(i, end + 1))
          level.at = String(name)
          level.expectsName = false
          if (level.names.has(level.at)) {
            throw new Refusal('invalid_request', `${pathOf(levels.map(({ at }) => at))} is given twice`)
          }
          level.names.add(level.at)
        }
        i = end
      }
    }
  }
}

function endOfString(text: string, start: number): number {
  let i = start + 1
  while (text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return i
}
