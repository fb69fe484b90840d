import { DeadlineExceededError, ErrorType, isCommandError } from '@eventstore/db-client'
import { LogUnavailable, MalformedEvent } from '../event-log.ts'

/**
 * Maps a client error to one for the log's caller. The client throws its own CommandErrors, raw gRPC errors and plain Errors
 * for the same outage, so anything that is not known to be a response leaves the outcome unknown.
 */
export function describeError(what: string, error: unknown): Error {
  if (error instanceof LogUnavailable || error instanceof MalformedEvent) return error
  if (!(error instanceof Error)) return new LogUnavailable(`${what}: ${String(error)}`)
  if (isCommandError(error) && error.type === ErrorType.STREAM_DELETED) {
    return new Error(`${what}: the stream was permanently deleted in EventStoreDB`, { cause: error })
  }
  if (isCommandError(error) && error.type === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) {
    const limit = `${error.maxAppendSize} bytes`
    return new Error(`${what}: EventStoreDB accepts at most ${limit} per append (its MaxAppendSize)`, { cause: error })
  }
  return new LogUnavailable(`${what}: ${error.message || error.name}`, { cause: error })
}

/** The server's response that it did not see an append committed in time. It may be committed by now. */
export function isCommitTimeout(error: unknown): boolean {
  return isAnswer(error) && error instanceof DeadlineExceededError
}

/** Whether the error is the server's response to one batched append, as opposed to a connection error shared by all appends. */
export function isAnswer(error: unknown): boolean {
  return error instanceof Error && isCommandError(error) && error.code === undefined
}

/** The server's response that a live subscription did not take its events fast enough: it may subscribe again at once. */
export function isTooSlow(error: Error): boolean {
  return error.message.includes('Consumer too slow')
}
