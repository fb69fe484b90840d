import { EventEmitter } from 'node:events'

/** What a client proposes to append. */
export interface Proposed {
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

/** An event in the transaction file. `position` is where its record begins, counted in bytes. */
export interface Stored extends Proposed {
  readonly stream: string
  readonly revision: number
  readonly position: bigint
  readonly createdAt: number
}

export const ANY = -2
export const NO_STREAM = -1
export const STREAM_EXISTS = -4

export type Outcome =
  | { readonly kind: 'written' | 'repeated'; readonly last: Stored }
  | { readonly kind: 'wrong-version'; readonly current: number }

/** What the server keeps on disk: it outlives the server. */
export interface Records {
  readonly all: readonly Stored[]
  /** Says 'written' after every append. */
  readonly changes: EventEmitter
  stream(name: string): readonly Stored[]
  /** The rules of the server's IndexWriter.CheckCommit. */
  append(stream: string, expected: number, proposed: readonly Proposed[]): Outcome
}

/** Of a prepare record in version 1 of the file, without its strings, data and metadata. */
const RECORD_BYTES = 90

/**
 * The transaction file of one node, in memory. The server's own events lie between those of the clients, and positions
 * are byte offsets.
 */
export function eventStoreRecords(): Records {
  const all: Stored[] = []
  const streams = new Map<string, Stored[]>()
  const changes = new EventEmitter().setMaxListeners(0)
  let end = 0n
  let appends = 0

  const write = (stream: string, proposed: Proposed): Stored => {
    const events = streams.get(stream) ?? []
    const stored = { ...proposed, stream, revision: events.length, position: end, createdAt: Date.now() }
    const strings = Buffer.byteLength(stream) + Buffer.byteLength(proposed.type)
    end += BigInt(RECORD_BYTES + strings + proposed.data.length + proposed.metadata.length)
    events.push(stored)
    streams.set(stream, events)
    all.push(stored)
    return stored
  }

  const writeOwn = (stream: string, type: string) => {
    const data = Buffer.from(JSON.stringify({ 'proc-id': 1, written: all.length }))
    write(stream, { id: crypto.randomUUID(), type, contentType: 'application/json', data, metadata: new Uint8Array() })
  }

  writeOwn('$epoch-information', '$epoch-information')
  writeOwn('$$$stats-127.0.0.1:2113', '$metadata')
  writeOwn('$users', '$UserCreated')

  return {
    all,
    changes,
    stream: (name) => streams.get(name) ?? [],
    append: (stream, expected, proposed) => {
      const events = streams.get(stream) ?? []
      const decision = check(events, expected, proposed)
      if (decision !== 'write') return decision
      for (const one of proposed) write(stream, one)
      if (++appends % 3 === 0) writeOwn('$stats-127.0.0.1:2113', '$statsCollected')
      changes.emit('written')
      const last = streams.get(stream)?.at(-1)
      return last ? { kind: 'written', last } : { kind: 'wrong-version', current: NO_STREAM }
    },
  }
}

function check(events: readonly Stored[], expected: number, proposed: readonly Proposed[]): Outcome | 'write' {
  const current = events.length - 1
  const wrong: Outcome = { kind: 'wrong-version', current }
  if (expected === STREAM_EXISTS && current < 0) return wrong
  if (expected === ANY || expected === STREAM_EXISTS) {
    const known = proposed.map(({ id }) => events.find((event) => event.id === id))
    const last = known.at(-1)
    if (known[0] === undefined) return 'write'
    return last && !known.includes(undefined) ? { kind: 'repeated', last } : wrong
  }
  if (expected === current) return 'write'
  if (expected > current) return wrong
  const following = events.slice(expected + 1, expected + 1 + proposed.length)
  const last = following.at(-1)
  const repeated =
    following.length === proposed.length && following.every(({ id }, index) => id === proposed[index]?.id)
  return last && repeated ? { kind: 'repeated', last } : wrong
}
