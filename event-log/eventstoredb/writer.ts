import { jsonEvent, NO_STREAM, type AppendResult, type EventStoreDBClient } from '@eventstore/db-client'
import type { NewEvent } from '../../domain/core/event.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { LogUnavailable, type ExpectedRevision } from '../event-log.ts'
import { releaseClient } from './client.ts'
import { isAnswer } from './errors.ts'
import { within } from '../within.ts'

export interface Writer {
  /** @throws the client's own error when the server answered, LogUnavailable or any other when it did not */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult>
  close(): Promise<void>
}

interface Generation {
  readonly client: EventStoreDBClient
  /** Appends that the server answered, yes or no. */
  answers: number
}

/**
 * Appends through one client object at a time, and a new one after every failure of the connection.
 *
 * The client keeps the answer to its first question, what the server can do, for life: one INTERNAL and it never
 * appends again. And it keeps the appends in flight in one map for the whole process: a stream that breaks rejects
 * them all and forgets them, after which an answer on another stream is an uncaught TypeError. So no append starts
 * until the streams of the client before are gone.
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
        if (closed || over) throw new LogUnavailable('the event log is closed, or was too slow to connect anew')
        generation = current ??= { client: connect(), answers: 0 }
        answersBefore = generation.answers
        return generation.client.appendToStream(stream, events.map(toStore), {
          expectedRevision: expected < 0 ? NO_STREAM : BigInt(expected),
          deadline: timeoutMs,
        })
      }

      try {
        // The client does not enforce its deadline on batched appends: this timer does.
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

/** Too late for this append, while others were answered meanwhile: the connection is alive and must not be taken from them. */
function isBusyElsewhere(error: unknown, generation: Generation, answersBefore: number): boolean {
  return error instanceof LogUnavailable && generation.answers > answersBefore
}

function toStore({ id, type, data, metadata }: NewEvent) {
  return jsonEvent({ id, type, data: { ...data }, metadata })
}
