import * as z from 'zod'
import { text } from './text.ts'

/** The origin of an AI-written text: the model, and the whole prompt. */
export const provenance = {
  provider: text(100),
  model: text(200),
  prompt: text(40_000),
  inputTokens: z.int().nonnegative().optional(),
  outputTokens: z.int().nonnegative().optional(),
}
