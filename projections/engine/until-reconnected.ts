import { RECONNECTED, type Signals } from '../../infra/postgres/signal.ts'
import { PROJECTED } from './apply-batch.ts'

/**
 * Works until the signal aborts or the database has come back: it may have crashed, and a checkpoint stand where it stood
 * some moments before.
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
