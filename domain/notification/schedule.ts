import { DateTime } from 'luxon'
import type { ChannelSettings } from './channel.ts'
import type { Notice } from './topic.ts'

/** How long (ms) notices are gathered before the first message of a topic. */
const GATHER_MS = 15_000
/** At most two messages per topic and window (ms): the first notices, and those that followed. */
const WINDOW_MS = 15 * 60_000

/** Which message a notice belongs to, and when that is sent. Times are ms since the epoch. */
export interface Slot {
  /** Notices with the same key go into one message. */
  readonly key: string
  readonly dueAt: number
  /** When what is added later is sent, once the message has been sent. */
  readonly againAt: number
}

/** When a channel is sent messages. */
export type Times = Pick<ChannelSettings, 'timezone' | 'quietHours' | 'digestAt'>

/** @param at when it happened, ms since the epoch */
export function slotOf(times: Times, { topic }: Pick<Notice, 'topic'>, at: number): Slot {
  const { digestAt, quietHours, timezone } = times
  const gathered = at + GATHER_MS
  // Somebody is waiting for these.
  if (topic === 'test' || topic === 'password' || topic === 'confirmation')
    return { key: `${topic} ${at}`, dueAt: at, againAt: at }
  if (digestAt !== null) return together('digest', nextTime(digestAt, timezone, gathered))
  const quietUntil = quietHours ? endOfQuiet(quietHours, timezone, gathered) : undefined
  if (quietUntil !== undefined) return together('quiet', quietUntil)
  const window = Math.floor(at / WINDOW_MS)
  return { key: `${topic} ${window}`, dueAt: gathered, againAt: Math.max(gathered, (window + 1) * WINDOW_MS) }
}

function together(name: string, dueAt: number): Slot {
  return { key: `${name} ${dueAt}`, dueAt, againAt: dueAt + GATHER_MS }
}

/** When quiet hours end that a moment lies in; undefined if it lies in none. */
function endOfQuiet(
  { from, to }: NonNullable<ChannelSettings['quietHours']>,
  timezone: string,
  at: number,
): number | undefined {
  const now = DateTime.fromMillis(at, { zone: timezone }).toFormat('HH:mm')
  const isQuiet = from <= to ? from <= now && now < to : from <= now || now < to
  return isQuiet ? nextTime(to, timezone, at) : undefined
}

/** The next moment after `at` at which it is that time of day. */
function nextTime(time: string, timezone: string, at: number): number {
  const [hour, minute] = time.split(':').map(Number)
  const day = DateTime.fromMillis(at, { zone: timezone })
  const [today, tomorrow] = [day, day.plus({ days: 1 })].map((date) =>
    date.set({ hour: hour ?? 0, minute: minute ?? 0, second: 0, millisecond: 0 }).toMillis(),
  )
  return today !== undefined && today > at ? today : (tomorrow ?? at)
}
