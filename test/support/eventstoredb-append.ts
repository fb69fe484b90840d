import { status, type sendUnaryData, type ServerDuplexStream, type ServerReadableStream } from '@grpc/grpc-js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js'
import { ANY, NO_STREAM, STREAM_EXISTS, type Outcome, type Proposed, type Records } from './eventstoredb-records.ts'
import {
  identifier,
  nameOf,
  notReady,
  proposedOf,
  refusedResponse,
  timedOut,
  tooLarge,
  writtenResponse,
  wrongVersion,
} from './eventstoredb-wire.ts'

type BatchAppendCall = ServerDuplexStream<BatchAppendReq, BatchAppendResp>

/** What goes wrong with the next appends. */
export interface AppendFaults {
  /** Appends that are on their way to the index, by stream and event ids. */
  readonly committing: Set<string>
  /** The streams of batched appends that are open, the oldest first. */
  readonly open: Set<BatchAppendCall>
  /** Appends that are written and never answered. */
  swallow: number
  /** Appends that are refused because the node is not ready. */
  refuse: number
  /** Appends whose time is up before anything is written. */
  expire: number
  /** Repeated appends that are not known any more. */
  forget: number
  /** Repeated appends that are known, but not where they are. */
  misplace: number
  /** While set, answers are kept here. */
  held: (() => void)[] | undefined
}

/** The server's default `MaxAppendSize`. */
const MAX_APPEND_SIZE = 1024 * 1024
/** How long (ms) an append is on its way to the index. Who repeats it meanwhile waits for a commit that is not made again. */
const COMMIT_MS = 1
/** How long (ms) such a repeat waits before it is told that its time is up: 2 to 3 s at the server (seen at 23.10.8). */
const COMMIT_TIMEOUT_MS = 300

interface Pending {
  readonly stream: string
  readonly expected: number
  readonly proposed: Proposed[]
}

export function answerBatchAppend(call: BatchAppendCall, records: Records, faults: AppendFaults): void {
  const pending = new Map<string, Pending>()
  const gone = () => faults.open.delete(call)
  faults.open.add(call)
  call.on('error', gone).on('cancelled', gone).on('close', gone)
  call.on('end', () => call.end())
  call.on('data', (request: BatchAppendReq) => {
    const correlationId = request.getCorrelationId()
    const key = correlationId?.getString() ?? ''
    const options = request.getOptions()
    if (options) {
      const stream = nameOf(options.getStreamIdentifier())
      pending.set(key, { stream, expected: batchExpected(options), proposed: [] })
    }
    const append = pending.get(key)
    append?.proposed.push(...request.getProposedMessagesList().map(proposedOf))
    if (!append || !request.getIsFinal()) return
    pending.delete(key)
    const answer = (response: BatchAppendResp) => {
      if (!call.cancelled)
        call.write(response.setCorrelationId(correlationId).setStreamIdentifier(identifier(append.stream)))
    }
    const { committing } = faults
    const content = [append.stream, ...append.proposed.map(({ id }) => id)].join(' ')
    if (committing.has(content)) {
      setTimeout(() => answer(refusedResponse(timedOut())), COMMIT_TIMEOUT_MS).unref()
      return
    }
    const before = records.all.length
    const response = decide(append, records, faults)
    if (records.all.length > before) committing.add(content)
    setTimeout(() => {
      committing.delete(content)
      if (response && faults.held) faults.held.push(() => answer(response))
      else if (response) answer(response)
    }, COMMIT_MS)
  })
}

/** The answer to an append, or undefined for none at all. */
function decide(append: Pending, records: Records, faults: AppendFaults): BatchAppendResp | undefined {
  const { stream, expected, proposed } = append
  if (sizeOf(proposed) > MAX_APPEND_SIZE) return refusedResponse(tooLarge(MAX_APPEND_SIZE))
  if (take(faults, 'refuse')) return refusedResponse(notReady())
  if (take(faults, 'expire')) return refusedResponse(timedOut())
  const outcome = records.append(stream, expected, proposed)
  if (take(faults, 'swallow')) return undefined
  if (outcome.kind === 'wrong-version') return refusedResponse(wrongVersion(outcome.current, expected))
  if (outcome.kind === 'repeated' && take(faults, 'forget')) {
    return refusedResponse(wrongVersion(records.stream(stream).length - 1, expected))
  }
  return writtenResponse(outcome.last, !(outcome.kind === 'repeated' && take(faults, 'misplace')))
}

function take(faults: AppendFaults, fault: 'swallow' | 'refuse' | 'expire' | 'forget' | 'misplace'): boolean {
  if (faults[fault] === 0) return false
  faults[fault] -= 1
  return true
}

/** `Append`, of servers before 21.10: one call for each append. */
export function answerAppend(
  call: ServerReadableStream<AppendReq, AppendResp>,
  callback: sendUnaryData<AppendResp>,
  records: Records,
): void {
  let stream = ''
  let expected = ANY
  const proposed: Proposed[] = []
  call.on('error', () => undefined)
  call.on('data', (request: AppendReq) => {
    const options = request.getOptions()
    const message = request.getProposedMessage()
    if (options) {
      stream = nameOf(options.getStreamIdentifier())
      expected = options.hasRevision() ? Number(options.getRevision()) : options.hasNoStream() ? NO_STREAM : ANY
    }
    if (message) proposed.push(proposedOf(message))
  })
  call.on('end', () => {
    if (sizeOf(proposed) > MAX_APPEND_SIZE) {
      callback({ code: status.INVALID_ARGUMENT, details: `Maximum Append Size of ${MAX_APPEND_SIZE} Exceeded.` })
    } else {
      callback(null, appendResponse(records.append(stream, expected, proposed), expected))
    }
  })
}

function appendResponse(outcome: Outcome, expected: number): AppendResp {
  if (outcome.kind === 'wrong-version') {
    const wrong = new streams.AppendResp.WrongExpectedVersion().setExpectedRevision(expected.toString())
    if (outcome.current >= 0) wrong.setCurrentRevision(outcome.current.toString())
    return new streams.AppendResp().setWrongExpectedVersion(wrong)
  }
  const text = outcome.last.position.toString()
  const position = new streams.AppendResp.Position().setCommitPosition(text).setPreparePosition(text)
  const success = new streams.AppendResp.Success().setCurrentRevision(outcome.last.revision.toString())
  return new streams.AppendResp().setSuccess(success.setPosition(position))
}

function batchExpected(options: BatchAppendReq.Options): number {
  if (options.hasNoStream()) return NO_STREAM
  if (options.hasStreamExists()) return STREAM_EXISTS
  return options.hasAny() ? ANY : Number(options.getStreamPosition())
}

/** Event.SizeOnDisk of the server: the type counts as UTF-16. */
function sizeOf(proposed: readonly Proposed[]): number {
  return proposed.reduce((sum, { data, metadata, type }) => sum + data.length + metadata.length + 2 * type.length, 0)
}
