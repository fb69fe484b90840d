import { once } from 'node:events'
import { status, type ServerWritableStream } from '@grpc/grpc-js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { Records, Stored } from './eventstoredb-records.ts'
import {
  caughtUpResponse,
  checkpointResponse,
  confirmationResponse,
  eventResponse,
  nameOf,
  ghostResponse,
  notFoundResponse,
} from './eventstoredb-wire.ts'

export type ReadCall = ServerWritableStream<ReadReq, ReadResp>

/** What can be done to the subscriptions that are open. */
export interface Subscriptions {
  /** While stalled, nothing is sent and nobody is told. */
  stalled: boolean
  /** The id of an event to send as a link whose target is gone. */
  ghost: string | undefined
  /** Events sent to any of them. */
  sent: number
  readonly open: Set<ReadCall>
}

/** Behind by more than this, the server leaves live mode, reads from disk, and says `caughtUp` again. */
const LIVE_BUFFER = 32
/** What the server searches at a time unless told. */
const SEARCH_WINDOW = 32

export async function answerRead(call: ReadCall, records: Records, subscriptions: Subscriptions): Promise<void> {
  const options = call.request.getOptions()
  if (!options) {
    call.emit('error', { code: status.INVALID_ARGUMENT, details: 'options are missing' })
  } else if (options.hasSubscription()) {
    subscriptions.open.add(call)
    await subscribe(call, options, records, subscriptions)
    subscriptions.open.delete(call)
  } else {
    for (const response of page(options, records)) await send(call, response)
    call.end()
  }
}

function page(options: ReadReq.Options, records: Records): readonly ReadResp[] {
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS
  const count = Number(options.getCount())
  const select = (events: readonly Stored[], isWithin: (event: Stored) => boolean) => {
    const found = events.filter(isWithin)
    return (backwards ? found.toReversed() : found).slice(0, count).map(eventResponse)
  }

  const stream = options.getStream()
  if (stream) {
    const events = records.stream(nameOf(stream.getStreamIdentifier()))
    if (events.length === 0) return [notFoundResponse(nameOf(stream.getStreamIdentifier()))]
    if (!stream.hasRevision()) return select(events, () => true)
    const from = Number(stream.getRevision())
    return select(events, ({ revision }) => (backwards ? revision <= from : revision >= from))
  }
  const given = options.getAll()?.getPosition()
  if (!given) return select(records.all, () => true)
  const from = BigInt(given.getCommitPosition())
  // Backwards a position is where to stand, and the record that begins there lies ahead.
  return select(records.all, ({ position }) => (backwards ? position < from : position >= from))
}

async function subscribe(call: ReadCall, options: ReadReq.Options, records: Records, subscriptions: Subscriptions) {
  const matches = filterOf(options)
  const window = options.getFilter()?.getMax() || SEARCH_WINDOW
  const interval = window * (options.getFilter()?.getCheckpointintervalmultiplier() || 1)
  const given = options.getAll()?.getPosition()
  const after = given ? BigInt(given.getCommitPosition()) : -1n
  let next = records.all.findIndex(({ position }) => position > after)
  if (next < 0) next = records.all.length
  let considered = 0
  let live = false

  await send(call, confirmationResponse())
  while (!call.cancelled && !call.writableEnded) {
    if (records.all.length - next > LIVE_BUFFER) live = false
    while (next < records.all.length && !call.cancelled) {
      await unstalled(records, subscriptions, call)
      const event = records.all[next++]
      if (event && matches(event.stream)) {
        subscriptions.sent += 1
        await send(call, event.id === subscriptions.ghost ? ghostResponse(event.position) : eventResponse(event))
      }
      if (event && ++considered % interval === 0) await send(call, checkpointResponse(event.position))
    }
    const last = records.all[next - 1]
    if (!live && last) {
      live = true
      await send(call, checkpointResponse(last.position))
      await send(call, caughtUpResponse())
    }
    if (next === records.all.length) await change(records, call)
  }
}

function filterOf(options: ReadReq.Options): (stream: string) => boolean {
  const expression = options.getFilter()?.getStreamIdentifier()
  if (!expression) return () => true
  const regex = expression.getRegex() ? new RegExp(expression.getRegex()) : undefined
  const prefixes = expression.getPrefixList()
  return (stream) => (regex ? regex.test(stream) : prefixes.some((prefix) => stream.startsWith(prefix)))
}

async function unstalled(records: Records, subscriptions: Subscriptions, call: ReadCall): Promise<void> {
  while (subscriptions.stalled && !call.cancelled) await change(records, call)
}

async function change(records: Records, call: ReadCall): Promise<void> {
  const changed = new AbortController()
  const gone = () => changed.abort()
  call.once('cancelled', gone).once('close', gone)
  await once(records.changes, 'written', { signal: changed.signal }).catch(() => undefined)
  call.off('cancelled', gone).off('close', gone)
}

async function send(call: ReadCall, response: ReadResp): Promise<void> {
  if (call.cancelled || call.writableEnded || call.write(response)) return
  const gone = new AbortController()
  const stop = () => gone.abort()
  call.once('cancelled', stop).once('close', stop)
  await once(call, 'drain', { signal: gone.signal }).catch(() => undefined)
  call.off('cancelled', stop).off('close', stop)
}
