import type { Clock } from '../../infra/runtime/clock.ts'
import { HttpFailure } from '../../infra/http/http.ts'

/** Long enough for a small file on a slow line to finish before it is judged. */
const WINDOW_MS = 15_000
const LEAST_BYTES_PER_S = 64_000

/** Gives up on a media host that sends nothing at first, or sends too slowly. */
export interface Pace {
  /** Aborts with `outer`, or when the download is given up. */
  readonly signal: AbortSignal
  /** Why the download was given up. */
  readonly failure: HttpFailure | undefined
  count(bytes: number): void
  end(): void
}

export function startPace(clock: Clock, outer: AbortSignal): Pace {
  const over = new AbortController()
  const ended = new AbortController()
  const cancel = () => over.abort()
  let received = 0
  let failure: HttpFailure | undefined
  const judge = async (least: number, message: string): Promise<void> => {
    const before = received
    await clock.sleep(WINDOW_MS, ended.signal)
    if (ended.signal.aborted || received - before >= least) return
    failure = new HttpFailure('timeout', message, true)
    over.abort()
  }
  const watch = async (): Promise<void> => {
    await judge(1, `its host sent nothing within ${WINDOW_MS / 1000} s`)
    while (!ended.signal.aborted && !failure) {
      await judge(
        (LEAST_BYTES_PER_S * WINDOW_MS) / 1000,
        `its host sends less than ${LEAST_BYTES_PER_S / 1000} kB per second`,
      )
    }
  }
  if (outer.aborted) cancel()
  outer.addEventListener('abort', cancel, { once: true })
  void watch()
  return {
    signal: over.signal,
    get failure() {
      return failure
    },
    count: (bytes) => {
      received += bytes
    },
    end: () => {
      outer.removeEventListener('abort', cancel)
      // An explicit reason: creating the default one costs more than everything else here.
      ended.abort('ended')
    },
  }
}
