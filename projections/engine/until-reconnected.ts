import { RECONNECTED, type Signals } from '../../infra/postgres/signal.ts'
import { PROJECTED } from './apply-batch.ts'

/**
 * Runs `work` until the signal aborts or the database reconnects: it may have crashed, and its checkpoints may be older than
 * before.
 */
export async function untilReconnected<Result>(
  signals: Pick<Signals, 'on'>,
  signal: AbortSignal,
  work: (until: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const reconnected = new AbortController()
  const off = signals.on(PROJECTED, (payload) => {
    if (payload === RECONNECTED) reconnected.abort()
  })
  try {
    return await work(AbortSignal.any([signal, reconnected.signal]))
  } finally {
    off()
  }
}
