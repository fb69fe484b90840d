import { setTimeout as delay } from 'node:timers/promises'
import type { NewEvent, RecordedEvent } from '../../domain/core/event.ts'
import { createCodec, type Codec } from '../../event-log/codec.ts'
import { START, type EventLog, type SubscribeOptions } from '../../event-log/event-log.ts'

export function newCategory(): string {
  return `c${crypto.randomUUID().replaceAll('-', '')}`
}

export function newEvent(data: object = {}, type = 'Happened'): NewEvent {
  const id = crypto.randomUUID()
  const metadata = {
    at: '2026-11-21T10:00:00.000Z',
    actor: { kind: 'cli' as const, id: 'test' },
    correlationId: id,
    causationId: id,
  }
  return { id, type, data, metadata }
}

export function newEvents(count: number): readonly NewEvent[] {
  return Array.from({ length: count }, (_, index) => newEvent({ index }))
}

/** Writes whatever it is given, as an older, a newer or a faulty version might have. */
export const unchecked: Codec = { ...createCodec(), encode: async (_stream, events) => events }

/** Reads a subscription until it has caught up. */
export async function readUntilCaughtUp(
  log: EventLog,
  after: bigint,
  options: SubscribeOptions = {},
): Promise<readonly RecordedEvent[]> {
  const seen: RecordedEvent[] = []
  for await (const delivery of log.subscribe(after, options)) {
    if (delivery.kind === 'caught-up') break
    seen.push(...delivery.events)
  }
  return seen
}

/** Reads a subscription until it has given `count` events. */
export async function readCount(
  log: EventLog,
  after: bigint,
  count: number,
  options: SubscribeOptions = {},
): Promise<readonly RecordedEvent[]> {
  const seen: RecordedEvent[] = []
  for await (const delivery of log.subscribe(after, options)) {
    if (delivery.kind === 'events') seen.push(...delivery.events)
    if (seen.length >= count) break
  }
  return seen
}

export async function until(what: string, condition: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  for (const end = Date.now() + ms; !(await condition()); await delay(5)) {
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain until ${what}`)
  }
}

/** The ids of events, to compare. */
export const ids = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id)
export const indexes = (count: number) => Array.from({ length: count }, (_, index) => index)

export async function settled<T>(work: Promise<T>): Promise<{ readonly value?: T; readonly error?: unknown }> {
  try {
    return { value: await work }
  } catch (error) {
    return { error }
  }
}

export async function failure(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return undefined
  } catch (error) {
    return error
  }
}

/** Follows a category, counting deliveries; how it ends is in `ended`. */
export function follow(log: EventLog, category: string, after = START) {
  const stop = new AbortController()
  const events: RecordedEvent[] = []
  const state = { events, marks: 0, stop: () => stop.abort(), ended: Promise.resolve<unknown>(undefined) }
  const run = async () => {
    for await (const delivery of log.subscribe(after, { categories: [category], signal: stop.signal })) {
      if (delivery.kind === 'events') events.push(...delivery.events)
      else state.marks += 1
    }
  }
  state.ended = failure(run())
  return state
}
