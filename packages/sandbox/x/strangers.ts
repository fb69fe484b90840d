import { createHash } from 'node:crypto'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { stranger } from '../stranger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { countsOf } from './counts.ts'
import { snowflake } from './ids.ts'
import type { Row } from './rows.ts'
import type { User } from './users.ts'

/** How far back their posts reach. */
const REACH_MS = 400 * 86_400_000
const SYMBOLS = 'abcdefghijklmnopqrstuvwxyz0123456789_'
const BASE = BigInt(SYMBOLS.length)
/** As many characters as fit into an id of 19 digits. */
const NAME = /^(?!nobody)[a-z0-9_]{1,12}$/

/** Anyone with a name of up to 12 characters that does not begin with `nobody`. */
export function strangerCalled(username: string): User | undefined {
  const name = username.toLowerCase()
  return NAME.test(name) ? { id: idOf(name), name: `Stranger ${name}`, username: name } : undefined
}

/** Resolves a stranger's id, which encodes the name. A name beginning with `gone` resolves, but its id does not. */
export function strangerOf(id: string): User | undefined {
  const name = nameOf(id)
  return name.startsWith('gone') || idOf(name) !== id ? undefined : strangerCalled(name)
}

/** Their posts, newest first. */
export function strangerRows(author: User, { clock }: StandInDeps): readonly Row[] {
  const now = clock.now()
  return stranger(author.username)
    .postedBetween(now - REACH_MS, now)
    .map((at) => {
      const id = snowflake(at, sequenceOf(author))
      const text = `What ${author.username} has to say`
      const counts = () => countsOf(id, now - at)
      return { id, author, text, links: [], createdAt: isoTime(at), conversationId: id, mediaKeys: [], counts }
    })
}

/** Keeps ids distinct when two strangers post in the same millisecond. */
function sequenceOf({ username }: User): bigint {
  return BigInt(createHash('sha256').update(username).digest().readUInt16BE(0))
}

/** The name as a number with digits counted from 1, so that leading ones are not lost. */
function idOf(name: string): string {
  const digits = [...name].map((symbol) => BigInt(SYMBOLS.indexOf(symbol) + 1))
  return String(digits.reduce((id, digit) => id * BASE + digit, 0n))
}

function nameOf(id: string): string {
  let rest = BigInt(id)
  let name = ''
  while (rest > 0n) {
    const digit = (rest - 1n) % BASE
    name = SYMBOLS.charAt(Number(digit)) + name
    rest = (rest - 1n) / BASE
  }
  return name
}
