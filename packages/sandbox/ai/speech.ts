import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { decode, SandboxRefusal } from '../refusal.ts'
import { breakConnection } from '../break-connection.ts'
import type { Voices } from './voice.ts'
import { directiveIn } from './directives.ts'

export interface SpeechDeps {
  readonly voices: Voices
}

const speechRequest = z.strictObject({
  /** The same for every attempt at the same speech. */
  key: z.string().min(1).max(200),
  text: z.string().min(1).max(20_000),
  voice: z
    .string()
    .max(40)
    .regex(/^[a-z][a-z0-9+-]*$/i, { error: 'must be the name of a voice, like en-us' })
    .default('en-us'),
})

const MODEL = 'sandbox-voice'

/** `POST /ai/speech`: the text spoken, as WAV. See `directives.ts` for the directives that the text may contain. */
export function registerSpeech(app: FastifyInstance, { voices }: SpeechDeps): void {
  /** What each key was first used for. */
  const digests = new Map<string, string>()
  app.post('/speech', async (request, reply) => {
    const { key, text, voice } = decode(speechRequest, request.body)
    const directive = directiveIn(text, 'voice')
    if (directive === 'busy') throw new SandboxRefusal(503, 'overloaded', 'the voice is overloaded')
    if (directive === 'fail') throw new SandboxRefusal(422, 'failed', 'the voice cannot speak this text')
    const digest = createHash('sha256')
      .update(JSON.stringify([text, voice]))
      .digest('base64')
    const known = digests.get(key)
    if (known !== undefined && known !== digest) {
      throw new SandboxRefusal(409, 'key_reused', 'key: it was already used for another speech request')
    }
    digests.set(key, digest)
    if (directive === 'lost' && known === undefined) return breakConnection(reply)
    const speech = await voices.speak(text, voice)
    return reply.type('audio/wav').header('x-model', MODEL).send(speech)
  })
}
