import { GenerationError } from './generation-error.ts'
import { beginAt, type SandboxPlace } from './sandbox-generation.ts'
import type { SpeechModel } from './speech.ts'

/** Longer than the sandbox's own limit. */
const TIMEOUT_MS = 120_000
/** The most that the sandbox returns. */
const MAX_BYTES = 64 * 1024 * 1024

/** A selection of its synthesizer's voices. The first is the default. */
const VOICES = ['en-us', 'en-gb', 'de', 'es', 'fr-fr', 'it', 'nl', 'pt-br']

/** The voice of the sandbox (`packages/sandbox/ai/speech.ts`): a synthesizer, no AI. */
export function sandboxSpeech(place: SandboxPlace): SpeechModel {
  return {
    proof: 'idempotent-key',
    voices: VOICES,
    speak: async ({ key, text, voiceId }, signal) => {
      const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal }
      const { headers, body } = await beginAt(place, '/ai/speech', { key, text, voice: voiceId }, limits)
      const model = headers['x-model']
      if (model !== undefined && isWav(body)) return { bytes: body, mimeType: 'audio/wav', provider: 'sandbox', model }
      throw new GenerationError('ambiguous', 'The sandbox did not return usable audio.')
    },
  }
}

function isWav(body: Uint8Array): boolean {
  const start = Buffer.from(body.subarray(0, 12)).toString('latin1')
  return start.startsWith('RIFF') && start.endsWith('WAVE')
}
