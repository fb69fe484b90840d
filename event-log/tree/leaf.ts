import { createHmac } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { StoredEvent } from '../codec.ts'
import type { Sealed } from '../sealing.ts'
import { leafHash } from './merkle.ts'

/** An event as its leaf has it: as stored, without its encrypted fields. The hash of these remains. */
export interface LeafEvent {
  readonly id: string
  readonly stream: string
  readonly revision: number
  readonly type: string
  readonly data: object
  readonly metadata: unknown
}

/** The leaf of an event. Its hash is that of `{"event":…,"salt":…}` as canonical JSON (RFC 8785). */
export interface Leaf {
  readonly event: LeafEvent
  /** Base64. Without it, a hash in the path of another leaf could be compared with guesses. */
  readonly salt: string
  readonly hash: Buffer
}

/** JSON that cannot be UTF-8 has no canonical form. */
const LONE_SURROGATES = /\p{Surrogate}/gu

/**
 * The same for every reader of the event. Positions and ciphertexts play no part; what a move to another log changes, such as the
 * IDs of keys, does.
 *
 * @param secret that of the tree, from which the salts derive
 */
export function leafOf({ id, stream, revision, type, data, metadata }: StoredEvent, secret: Buffer): Leaf {
  const salt = createHmac('sha256', secret).update(`${stream} ${revision}`).digest('base64')
  const event = { id, stream, revision, type, data, metadata: withoutText(metadata) }
  try {
    return { event, salt, hash: leafHash(canonicalize({ event, salt }) ?? '') }
  } catch {
    const repaired = wellFormed(event)
    return { event: repaired, salt, hash: leafHash(canonicalize({ event: repaired, salt }) ?? '') }
  }
}

function withoutText(metadata: unknown): unknown {
  const { sealed, ...rest } = (metadata ?? {}) as { readonly sealed?: Sealed }
  if (!sealed) return metadata
  const { text: _, ...left } = sealed
  return { ...rest, sealed: left }
}

function wellFormed<T extends object>(event: T): T {
  const repaired = (_: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(LONE_SURROGATES, '\ufffd') : value
  return JSON.parse(JSON.stringify(event, repaired)) as T
}
