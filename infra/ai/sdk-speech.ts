import { fileTypeFromBuffer } from 'file-type'
import { SPEECH_BASE_URLS, type SpeechServer } from '../runtime/generation-settings.ts'
import { GenerationError } from './generation-error.ts'
import { refusedRequest, unansweredRequest, type Asked } from './generation-refusal.ts'
import { isSuccess, providerSend } from './provider-http.ts'
import { submissionOf } from './recorded-submission.ts'
import { providerOptions, type CreateSpeechProvider, type GeneratorIo } from './sdk-generators.ts'
import type { Speech, SpeechModel } from './speech.ts'

/** Long texts are spoken in one exchange. */
const SPEAK = { timeoutMs: 180_000, maxBytes: 50 * 1024 * 1024 }

/** Keyed by the MIME types that `file-type` reports. */
const MIME_TYPES: Readonly<Record<string, Speech['mimeType']>> = {
  'audio/wav': 'audio/wav',
  'audio/mpeg': 'audio/mpeg',
  'audio/mp4': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
}

/** Some of the SDK's models put the voice into the URL unescaped, where `../` would lead to another part of the API. */
const VOICE_ID = /^[\p{L}\p{N}_][^/\\?#%\p{Cc}]*$/u

/**
 * Speech from a provider over HTTP. The AI SDK builds the request, which is sent once; each provider here answers with the raw
 * audio, which is used as is.
 */
export function sdkSpeech(server: SpeechServer, createProvider: CreateSpeechProvider, io: GeneratorIo): SpeechModel {
  const { provider, model, apiKey, baseUrl } = server
  const known = SPEECH_BASE_URLS[provider] ?? baseUrl
  const send = providerSend(io.http, { known, actual: baseUrl }, SPEAK)
  const asked: Asked = { ...io, provider, apiKey, keySetting: 'SPEECH_API_KEY' }
  return {
    proof: 'opaque',
    speak: async ({ text, voiceId }, signal) => {
      if (voiceId !== undefined && !VOICE_ID.test(voiceId)) {
        throw new GenerationError('permanent', `${provider} has no voice with this name.`)
      }
      const call = { text, ...(voiceId !== undefined && { voice: voiceId }), abortSignal: signal }
      const asking = submissionOf(
        async (fetch) =>
          createProvider(providerOptions(apiKey, known, fetch))
            .speech(model)
            .doGenerate(call),
        send,
      )
      const { answer } = await asking.catch((error: unknown) => {
        signal.throwIfAborted()
        throw unansweredRequest(error, asked)
      })
      if (!isSuccess(answer)) throw refusedRequest(answer, asked)
      return { bytes: answer.body, mimeType: await mimeTypeOf(answer.body, provider), provider, model }
    },
  }
}

/** @throws GenerationError `ambiguous`: an unknown format was billed all the same */
async function mimeTypeOf(bytes: Uint8Array, provider: string): Promise<Speech['mimeType']> {
  const mimeType = MIME_TYPES[(await fileTypeFromBuffer(bytes))?.mime ?? '']
  if (mimeType) return mimeType
  throw new GenerationError('ambiguous', `${provider} did not return usable audio.`)
}
