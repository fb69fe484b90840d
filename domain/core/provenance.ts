import { z } from 'zod'
import { text } from './text.ts'

/** Where a text that the AI has written comes from: who wrote it, and all that was asked. */
export const provenance = {
  provider: text(100),
  model: text(200),
  prompt: text(40_000),
  inputTokens: z.int().nonnegative().optional(),
  outputTokens: z.int().nonnegative().optional(),
}
