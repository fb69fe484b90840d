import type { Signals } from '../../infra/postgres/signal.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { START } from '../event-log.ts'
import { APPENDED } from './append.ts'

/** How often (ms) a reader that has caught up checks for more, in case a signal is lost. */
const LOOK_EVERY_MS = 500
/** The end of the log is unknown: there may be more after any position. */
const UNKNOWN = 2n ** 63n

/**
 * The end of the log as far as one reader knows. It saves a reader that has caught up from asking the database for more:
 * appends are signaled with their positions.
 */
export interface KnownHead {
  /** Call before asking the database for more. @returns the argument for `confirm` */
  asking(): number
  /** Call when the database had nothing after the position. */
  confirm(asked: number, position: bigint): void
  /** Whether nothing is known to exist after the position. */
  isReached(position: bigint): boolean
  /** Waits until there is or may be more, at most `LOOK_EVERY_MS`. */
  waitBeyond(position: bigint): Promise<void>
  close(): void
}

/** @param signal ends a wait */
export function knownHead(signals: Pick<Signals, 'on'>, clock: Clock, signal: AbortSignal): KnownHead {
  let head = UNKNOWN
  /** The highest position signaled since the database was last asked. */
  let signaled = START
  /** Number of signals without a position. */
  let unnumbered = 0
  let waitsAt = START
  let bell = new AbortController()
  // An explicit reason, because creating the default one costs more than all the rest.
  const ring = () => bell.abort('ring')
  const off = signals.on(APPENDED, (payload) => {
    const position = /^\d+$/.test(payload) ? BigInt(payload) : UNKNOWN
    if (position === UNKNOWN) unnumbered += 1
    else signaled = higher(signaled, position)
    head = higher(head, position)
    if (head > waitsAt) ring()
  })
  signal.addEventListener('abort', ring, { once: true })
  const isReached = (position: bigint) => head <= position

  return {
    asking: () => {
      signaled = START
      return unnumbered
    },
    confirm: (asked, position) => {
      if (asked === unnumbered) head = higher(position, signaled)
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
