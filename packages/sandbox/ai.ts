import type { FastifyError, FastifyInstance } from 'fastify'
import { registerSpeech, type SpeechDeps } from './ai/speech.ts'
import { registerText } from './ai/text.ts'
import { registerVideos, type VideoDeps } from './ai/videos.ts'
import { sendError } from './refusal.ts'

/** `/ai/...`: a stand-in for an AI provider. Everything it generates states that no AI made it. */
export function registerAi(app: FastifyInstance, deps: VideoDeps & SpeechDeps): void {
  app.setErrorHandler<FastifyError>((error, _request, reply) => sendError(error, reply))
  registerText(app)
  registerVideos(app, deps)
  registerSpeech(app, deps)
}
