import { DeadlineExceededError, ErrorType, isCommandError } from '@eventstore/db-client'
import { LogUnavailable } from '../event-log.ts'
import { MalformedEvent } from './event.ts'

/**
 * What an error of the client means to a caller of the log. The client throws its own CommandErrors, raw gRPC errors
 * and plain Errors for one and the same outage, so all that is not known to be an answer leaves the outcome open.
 */
export function describeError(what: string, error: unknown): Error {
  if (error instanceof LogUnavailable || error instanceof MalformedEvent) return error
  if (!(error instanceof Error)) return new LogUnavailable(`${what}: ${String(error)}`)
  if (isCommandError(error) && error.type === ErrorType.STREAM_DELETED) {
    return new Error(`${what}: the stream was deleted for good in EventStoreDB`, { cause: error })
  }
  if (isCommandError(error) && error.type === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) {
    const limit = `${error.maxAppendSize} bytes`
    return new Error(`${what}: EventStoreDB takes only ${limit} (its MaxAppendSize)`, { cause: error })
  }
  return new LogUnavailable(`${what}: ${error.message || error.name}`, { cause: error })
}

/** The server's answer that it has not seen an append committed in time. It may be, by now. */
export function isCommitTimeout(error: unknown): boolean {
  return isAnswer(error) && error instanceof DeadlineExceededError
}

/** The server's answer to one batched append, in contrast to an error of the connection that all appends share. */
export function isAnswer(error: unknown): boolean {
  return error instanceof Error && isCommandError(error) && error.code === undefined
}
