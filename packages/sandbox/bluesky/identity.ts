import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'

export const DID_PLC = /^did:plc:([a-z2-7]{24})$/
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

export const did = z.string().regex(/^did:[a-z]+:[a-zA-Z0-9._:%-]*[a-zA-Z0-9._-]$/, 'Invalid DID')
const handle = z
  .string()
  .regex(/^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?\.)+[a-zA-Z][a-zA-Z0-9-]*$/, 'Invalid handle')
export const atIdentifier = z.union([did, handle], 'Invalid AT identifier')

export function newDid(seed: string): string {
  return `did:plc:${base32(createHash('sha256').update(seed).digest()).slice(0, 24)}`
}

/** Derived from the DID, so that each yields the other. */
export function handleOf({ externalId }: Pick<LedgerAccount, 'externalId'>): string {
  return `${DID_PLC.exec(externalId)?.[1] ?? externalId}.test`
}

/** The account of a DID or handle. */
export function accountOf(identifier: string, { ledger }: StandInDeps): LedgerAccount | undefined {
  const name = /^@?([a-z2-7]{24})\.test$/.exec(identifier.toLowerCase())?.[1]
  return ledger.account('bluesky', name === undefined ? identifier : `did:plc:${name}`)
}

/** A content identifier (CIDv1, SHA-256): real for raw bytes; for a record only well-formed, since records are hashed as JSON. */
export function cid(kind: 'raw' | 'record', sha256: Buffer): string {
  return `b${base32(Buffer.concat([Buffer.from([0x01, kind === 'raw' ? 0x55 : 0x71, 0x12, 0x20]), sha256]))}`
}

function base32(bytes: Buffer): string {
  let bits = 0
  let value = 0
  let text = ''
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff
    bits += 8
    for (; bits >= 5; bits -= 5) text += BASE32.charAt((value >> (bits - 5)) & 31)
  }
  return bits > 0 ? text + BASE32.charAt((value << (5 - bits)) & 31) : text
}
