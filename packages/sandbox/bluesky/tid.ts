import { createHash } from 'node:crypto'
import type { StandInDeps } from '../stand-in.ts'
import { uriOf } from './stored-record.ts'

const TID_DIGITS = '234567abcdefghijklmnopqrstuvwxyz'

/**
 * A timestamp identifier: 53 bits of microseconds and 10 random bits, five bits per character.
 *
 * @param ms since the epoch
 * @param seed source of the random bits: equal seeds give equal bits
 */
export function recordKeyAt(ms: number, seed: string): string {
  const chance = createHash('sha256').update(seed).digest()
  const micros = BigInt(ms) * 1000n + BigInt(chance.readUInt16BE(0) % 1000)
  const bits = (micros << 10n) | BigInt(chance.readUInt16BE(2) % 1024)
  const digits = [...bits.toString(32).padStart(13, '0')]
  return digits.map((digit) => TID_DIGITS.charAt(Number.parseInt(digit, 32))).join('')
}

/** Servers never reuse a key. A millisecond has a million keys, so among a few hundred records two would soon collide. */
export function freeKey(did: string, deps: StandInDeps): string {
  const rkey = recordKeyAt(deps.clock.now(), deps.ids.token())
  const uri = uriOf(did, rkey)
  const isTaken = deps.ledger.comment('bluesky', uri) ?? deps.ledger.post('bluesky', uri)
  return isTaken ? freeKey(did, deps) : rkey
}
