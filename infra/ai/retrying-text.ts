import type { Clock } from '../runtime/clock.ts'
import { TextModelError, type TextModel } from './text.ts'

export interface RetryPolicy {
  readonly clock: Clock
  /** Milliseconds before each retry, unless the provider asks for another delay. */
  readonly pausesMs: readonly number[]
  /** No call starts later than this after the first one; the caller may retry. */
  readonly withinMs: number
}

/** A model that retries transient failures: overload, a broken connection, an overlong text. */
export function retryingText(model: TextModel, { clock, pausesMs, withinMs }: RetryPolicy): TextModel {
  return {
    write: async (request, signal) => {
      const last = clock.now() + withinMs
      for (const pauseMs of pausesMs) {
        try {
          return await model.write(request, signal)
        } catch (error) {
          if (!(error instanceof TextModelError) || error.kind === 'permanent') throw error
          const wait = error.retryAfterMs ?? pauseMs
          if (clock.now() + wait >= last) throw error
          await clock.sleep(wait, signal)
        }
      }
      return model.write(request, signal)
    },
  }
}
