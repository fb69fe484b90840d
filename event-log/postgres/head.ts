import type { Signals } from '../../infra/postgres/signal.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { START } from '../event-log.ts'
import { APPENDED } from './append.ts'

/** How long (ms) a reader that has everything goes without looking, should a signal be lost. */
const LOOK_EVERY_MS = 500
/** Nobody knows how far the log goes: after any position there may be more. */
const UNKNOWN = 2n ** 63n

/**
 * How far the log goes, as one reader has found and has been told since. It spares who has everything the question whether there
 * is more: appends are signalled with their positions.
 */
export interface KnownHead {
  /** Before the database is asked what there is. @returns what `confirm` takes */
  asking(): number
  /** The database had nothing after the position. */
  confirm(asked: number, position: bigint): void
  /** Whether nothing after the position is known of. */
  isReached(position: bigint): boolean
  /** Until there is more, or may be: never longer than `LOOK_EVERY_MS`. */
  waitBeyond(position: bigint): Promise<void>
  close(): void
}

/** @param signal ends a wait */
export function knownHead(signals: Pick<Signals, 'on'>, clock: Clock, signal: AbortSignal): KnownHead {
  let head = UNKNOWN
  /** The highest position that was signalled since the database was asked last. */
  let told = START
  /** Signals that did not say how far it goes. */
  let untold = 0
  let waitsAt = START
  let bell = new AbortController()
  // With a reason: making the default one costs more than all the rest.
  const ring = () => bell.abort('ring')
  const off = signals.on(APPENDED, (payload) => {
    const position = /^\d+$/.test(payload) ? BigInt(payload) : UNKNOWN
    if (position === UNKNOWN) untold += 1
    else told = higher(told, position)
    head = higher(head, position)
    if (head > waitsAt) ring()
  })
  signal.addEventListener('abort', ring, { once: true })
  const isReached = (position: bigint) => head <= position

  return {
    asking: () => {
      told = START
      return untold
    },
    confirm: (asked, position) => {
      if (asked === untold) head = higher(position, told)
    },
    isReached,
    waitBeyond: async (position) => {
      if (signal.aborted || !isReached(position)) return
      waitsAt = position
      bell = new AbortController()
      await clock.sleep(LOOK_EVERY_MS, bell.signal)
    },
    close: () => {
      off()
      signal.removeEventListener('abort', ring)
    },
  }
}

function higher(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
