import { Refusal } from '../../domain/core/errors.ts'
import { pathOf } from './validation.ts'

/** Deeper than any valid body, and shallow enough for every recursive reader. */
const MAX_DEPTH = 64
/** A hundred times what any valid body has: parsing millions of tiny values would block all other requests. */
const MAX_MEMBERS = 100_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON value of a request body. Stricter than JSON.parse, and scanned first so that rejecting is cheap: it rejects a
 * name that appears twice in one object, because one of the values would be dropped silently (RFC 8259 §4), and text that
 * the database cannot store.
 *
 * @throws Refusal invalid_request
 */
export function parseBody(bytes: Uint8Array): unknown {
  const text = decoded(bytes)
  scan(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refusal('invalid_request', `the body is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Refusal('invalid_request', 'the body is not UTF-8')
  }
}

interface Level {
  readonly isObject: boolean
  /** Names so far; no set until there are two, because most objects of a hostile body have few. */
  first: string | undefined
  names: Set<string> | undefined
  /** The current name or index. */
  at: string | number
  expectsName: boolean
}

/** Walks the text, which may not be JSON at all: then it only has to terminate. */
function scan(text: string): void {
  const levels: Level[] = []
  let level: Level | undefined
  let members = 0
  for (let i = 0; i < text.length; i += 1) {
    switch (text.charAt(i)) {
      case '{':
      case '[': {
        if (levels.length >= MAX_DEPTH) refuse(`the body is nested deeper than ${MAX_DEPTH} levels`)
        members += 1
        const isObject = text[i] === '{'
        level = { isObject, first: undefined, names: undefined, at: isObject ? '' : 0, expectsName: isObject }
        levels.push(level)
        break
      }
      case '}':
      case ']':
        levels.pop()
        level = levels.at(-1)
        break
      case ',':
        members += 1
        if (members > MAX_MEMBERS) refuse(`the body has more than ${MAX_MEMBERS} members`)
        if (level?.isObject) level.expectsName = true
        else if (level && typeof level.at === 'number') level.at += 1
        break
      case '"': {
        const end = endOfString(text, i)
        const value = stringAt(text, i, end)
        if (level?.expectsName) nameSeen(level, value ?? text.slice(i + 1, end), levels)
        if (value !== undefined && /\0|\p{Surrogate}/u.test(value)) {
          refuse(`${placeOf(levels)} must not contain the character U+0000 or an unpaired surrogate`)
        }
        i = end
      }
    }
  }
}

function nameSeen(level: Level, name: string, levels: readonly Level[]): void {
  level.at = name
  level.expectsName = false
  if (name === '__proto__') refuse(`${placeOf(levels)} is not an allowed field name`)
  if (name === level.first || level.names?.has(name)) refuse(`${placeOf(levels)} is given twice`)
  if (level.first === undefined) level.first = name
  else (level.names ??= new Set()).add(name)
}

/** The index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

/** The string between the quotes if it has escapes: only they can encode what UTF-8 cannot. */
function stringAt(text: string, start: number, end: number): string | undefined {
  const raw = text.slice(start, end + 1)
  if (!raw.includes('\\')) return undefined
  try {
    return String(JSON.parse(raw))
  } catch {
    return undefined
  }
}

function placeOf(levels: readonly Level[]): string {
  return pathOf(levels.map(({ at }) => at)) || 'the body'
}

function refuse(message: string): never {
  throw new Refusal('invalid_request', message)
}
