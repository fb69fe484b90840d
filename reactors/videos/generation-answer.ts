import { GenerationError } from '../../infra/ai/generation-error.ts'
import { startDeadline } from '../../infra/http/deadline.ts'
import { PlatformError } from '../../platforms/kit/platform.ts'
import type { Clock } from '../../infra/runtime/clock.ts'

/** The result of a call to a provider. */
export type GenerationAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly kind: GenerationError['kind']
      readonly error: string
      readonly retryAfterMs?: number | undefined
    }

/** @throws what the provider did not cause: the service stops, or is itself at fault */
export async function answerWithin<T>(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  timeoutMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<GenerationAnswer<T>> {
  const expired = { kind: 'timeout', message: `It did not finish within ${timeoutMs / 1000} s.` } as const
  const stopping = { signal, stop: { kind: 'aborted', message: 'the service is stopping' } } as const
  const deadline = startDeadline(clock, timeoutMs, expired, [stopping])
  try {
    return { ok: true, value: await ask(deadline.signal) }
  } catch (error) {
    if (signal.aborted) throw error
    if (deadline.signal.aborted) return { ok: false, kind: 'ambiguous', error: expired.message }
    if (error instanceof GenerationError) {
      const { kind, message, retryAfterMs } = error
      return { ok: false, kind, error: message, retryAfterMs }
    }
    if (error instanceof PlatformError) {
      const { kind, message, retryAfterMs } = error
      // From a download, which can always be repeated.
      return { ok: false, kind: kind === 'permanent' ? 'permanent' : 'retryable', error: message, retryAfterMs }
    }
    throw error
  } finally {
    deadline.end()
  }
}
