import type { Clock } from '../runtime/clock.ts'
import { TextModelError, type TextModel } from './text.ts'

export interface RetryPolicy {
  readonly clock: Clock
  /** Milliseconds before each further call, when the provider does not ask for another pause. */
  readonly pausesMs: readonly number[]
  /** No call begins later than this after the first one; whoever asked for the text may ask again. */
  readonly withinMs: number
}

/** A model that is asked again after what passes: it was overloaded, the connection broke, it wrote too much. */
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
