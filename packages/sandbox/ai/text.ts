import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { decode, SandboxRefusal } from '../refusal.ts'
import { answerTo } from './answer.ts'

const part = z.strictObject({
  name: z.string().regex(/^[a-z][a-z-]*$/, { error: 'must be a lower-case word' }),
  text: z.string().max(100_000),
})

const textRequest = z.strictObject({
  instruction: z.string().min(1).max(10_000),
  data: z.array(part).min(1).max(20),
  maxChars: z.int().min(1).max(100_000),
})
type Part = z.infer<typeof part>

/** Marks every generated text as not written by an AI. */
const MARK = 'Sandbox draft'

/**
 * `POST /ai/text`: deterministic text in place of an AI's: an answer that takes up words of a `comment`, a rewording of anything
 * else. Two directives in the material change the outcome:
 * - `[sandbox ai=fail]`: 503;
 * - `[sandbox ai=refuse]`: 422.
 */
export function registerText(app: FastifyInstance): void {
  app.post('/text', (request, reply) => {
    const { data, maxChars } = decode(textRequest, request.body)
    const has = (directive: string) => data.some(({ text }) => text.includes(`[sandbox ai=${directive}]`))
    if (has('fail')) throw new SandboxRefusal(503, 'overloaded', 'the model is overloaded')
    if (has('refuse')) throw new SandboxRefusal(422, 'refused', 'the model refuses this text')
    const isReply = data.some(({ name }) => name === 'comment')
    return reply.send({
      text: isReply ? answered(data, maxChars) : rewritten(data, maxChars),
      model: 'sandbox-drafter',
    })
  })
}

/** Differs for each comment: platforms reject duplicate text. */
function answered(data: readonly Part[], maxChars: number): string {
  const mark = createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 6)
  const end = ` (${MARK} ${mark})`
  const comment = data.find(({ name }) => name === 'comment')?.text ?? ''
  return cutOff(cutOff(answerTo(comment), Math.max(0, maxChars - end.length)) + end, maxChars)
}

/** Visibly a different text, even when truncated. */
function rewritten(data: readonly Part[], maxChars: number): string {
  const before = data.map(({ text }) => text).join('\n\n')
  const after = cutOff(`${MARK}, in other words: ${before}`, maxChars)
  return after === before ? `…${after.slice(1)}` : after
}

/** Cuts between characters, never inside one. */
function cutOff(text: string, maxChars: number): string {
  let kept = ''
  for (const character of text) {
    if (kept.length + character.length > maxChars) break
    kept += character
  }
  return kept
}
