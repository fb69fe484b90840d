import { jsonEvent, NO_STREAM, type AppendResult, type EventStoreDBClient } from '@eventstore/db-client'
import type { NewEvent } from '../../domain/core/event.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { LogUnavailable, type ExpectedRevision } from '../event-log.ts'
import { releaseClient } from './client.ts'
import { isAnswer } from './errors.ts'
import { within } from '../within.ts'

export interface Writer {
  /** @throws the client's own error when the server responded, LogUnavailable or any other error when it did not */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult>
  close(): Promise<void>
}

interface Generation {
  readonly client: EventStoreDBClient
  /** Appends that the server responded to, successfully or not. */
  answers: number
}

/**
 * Appends through one client at a time, replaced after every connection failure.
 *
 * The client caches the response to its first call, the server's capabilities, for life: after one INTERNAL error it never
 * appends again. It also keeps the appends in flight in one map per process: a broken stream rejects and forgets them all, and
 * a later response on another stream is then an uncaught TypeError. So no append starts until the previous client's streams are
 * gone.
 */
export function eventStoreDbWriter(connect: () => EventStoreDBClient, clock: Clock, timeoutMs: number): Writer {
  let current: Generation | undefined
  let releasing: Promise<void> = Promise.resolve()
  let closed = false

  const retire = (generation: Generation) => {
    if (generation !== current) return
    current = undefined
    releasing = releaseClient(generation.client, clock)
  }

  return {
    append: async (stream, events, expected) => {
      let generation: Generation | undefined
      let answersBefore = 0
      let over = false

      const send = async () => {
        await releasing
        if (closed || over) throw new LogUnavailable('the event log is closed or took too long to reconnect')
        generation = current ??= { client: connect(), answers: 0 }
        answersBefore = generation.answers
        return generation.client.appendToStream(stream, events.map(toStore), {
          expectedRevision: expected < 0 ? NO_STREAM : BigInt(expected),
          deadline: timeoutMs,
        })
      }

      try {
        // The client does not enforce its deadline on batched appends, so this timer does.
        const result = await within(clock, timeoutMs, `appending to ${stream}`, send())
        if (generation) generation.answers += 1
        return result
      } catch (error) {
        if (generation && isAnswer(error)) generation.answers += 1
        else if (generation && !isBusyElsewhere(error, generation, answersBefore)) retire(generation)
        throw error
      } finally {
        over = true
      }
    },
    close: async () => {
      closed = true
      if (current) retire(current)
      await releasing
    },
  }
}

/** This append timed out while others got responses: the connection works, and must not be closed under them. */
function isBusyElsewhere(error: unknown, generation: Generation, answersBefore: number): boolean {
  return error instanceof LogUnavailable && generation.answers > answersBefore
}

function toStore({ id, type, data, metadata }: NewEvent) {
  return jsonEvent({ id, type, data: { ...data }, metadata })
}
