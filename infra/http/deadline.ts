import type { Clock } from '../runtime/clock.ts'
import { HttpFailure, type HttpFailureKind } from './http.ts'

/** Why our side gave up. */
export interface Stop {
  readonly kind: HttpFailureKind
  readonly message: string
}

export interface Cancel {
  readonly signal: AbortSignal
  readonly stop: Stop
}

/** One limit for everything that follows, however many steps it has. */
export interface Deadline {
  /** Aborts when the time is up or one of the cancel signals aborts. */
  readonly signal: AbortSignal
  /** Set once `signal` has aborted. */
  readonly stop: Stop | undefined
  /** Releases the timer and the listeners on the cancel signals. Safe to call twice. */
  end(): void
}

export function startDeadline(clock: Clock, ms: number, expired: Stop, cancels: readonly Cancel[]): Deadline {
  const over = new AbortController()
  const ended = new AbortController()
  let why: Stop | undefined
  const listeners: (() => void)[] = []
  const end = () => {
    if (ended.signal.aborted) return
    // An explicit reason: creating the default one costs more than everything else here.
    ended.abort('ended')
    for (const off of listeners) off()
  }
  const give = (stop: Stop): void => {
    if (ended.signal.aborted) return
    why = stop
    end()
    over.abort()
  }
  for (const { signal, stop } of cancels) {
    const cancel = () => give(stop)
    if (signal.aborted) cancel()
    else signal.addEventListener('abort', cancel, { once: true })
    listeners.push(() => signal.removeEventListener('abort', cancel))
  }
  void clock.sleep(ms, ended.signal).then(() => give(expired))
  return {
    signal: over.signal,
    get stop() {
      return why
    },
    end,
  }
}

/** Waits for work that cannot be canceled, but no longer than the deadline. @throws HttpFailure the deadline's stop */
export function beforeDeadline<T>(deadline: Deadline, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(stopFailure(deadline, false))
    if (deadline.signal.aborted) giveUp()
    deadline.signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject)
  })
}

export function stopFailure({ stop }: Deadline, mayHaveArrived: boolean): HttpFailure {
  return new HttpFailure(stop?.kind ?? 'aborted', stop?.message ?? 'cancelled', mayHaveArrived)
}
