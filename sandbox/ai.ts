import type { FastifyError, FastifyInstance } from 'fastify'
import { z } from 'zod'
import { decode, SandboxRefusal, sendError } from './refusal.ts'

const textRequest = z.strictObject({
  instruction: z.string().min(1).max(10_000),
  text: z.string().min(1).max(100_000),
  maxChars: z.int().min(1).max(100_000),
})

/**
 * `POST /ai/text`: what an AI would make of a text, always the same of the same. Two texts go otherwise:
 * - `[sandbox ai=fail]`: 503;
 * - `[sandbox ai=refuse]`: 422.
 */
export function registerAi(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, _request, reply) => sendError(error, reply))
  app.post('/text', (request, reply) => {
    const { text, maxChars } = decode(textRequest, request.body)
    if (text.includes('[sandbox ai=fail]')) throw new SandboxRefusal(503, 'overloaded', 'the model is overloaded')
    if (text.includes('[sandbox ai=refuse]')) throw new SandboxRefusal(422, 'refused', 'the model refuses this text')
    return reply.send({ text: rewritten(text, maxChars) })
  })
}

/** Plainly another text, also where it is cut off. */
function rewritten(text: string, maxChars: number): string {
  let kept = ''
  for (const character of `In other words: ${text}`) {
    if (kept.length + character.length > maxChars) break
    kept += character
  }
  return kept === text ? [...kept].toReversed().join('') : kept
}
