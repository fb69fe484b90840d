import { sandboxSpeech } from '../../infra/ai/sandbox-speech.ts'
import { sandboxVideo } from '../../infra/ai/sandbox-video.ts'
import { loadSpeechProvider, loadVideoProvider } from '../../infra/ai/sdk-generators.ts'
import { sdkSpeech } from '../../infra/ai/sdk-speech.ts'
import { sdkVideo } from '../../infra/ai/sdk-video.ts'
import type { SpeechModel } from '../../infra/ai/speech.ts'
import type { VideoModel } from '../../infra/ai/video.ts'
import type { Core } from './core.ts'
import { retryAfterMs } from '../../platforms/kit/retry-after.ts'
import { providerHttp } from './provider-http.ts'

type Given = Pick<Core, 'settings' | 'http' | 'clock' | 'telemetry'>

/** The configured video provider. */
export function videoModelOf({ settings, http, clock, telemetry }: Given): VideoModel | undefined {
  const { video } = settings
  if (video.provider === 'none') return undefined
  if (video.provider === 'sandbox') return sandboxVideo({ http: telemetry.http(http, 'ai'), url: sandboxUrl(settings) })
  const io = { http: telemetry.http(providerHttp(video, clock), 'ai'), clock, retryAfterMs }
  return sdkVideo(video, loadVideoProvider(video.provider), io)
}

/** The configured speech provider, with the configured voice as the default. */
export function speechModelOf(given: Given): SpeechModel | undefined {
  const model = speakerOf(given)
  return model && inVoice(model, given.settings.SPEECH_VOICE)
}

function speakerOf({ settings, http, clock, telemetry }: Given): SpeechModel | undefined {
  const { speech } = settings
  if (speech.provider === 'none') return undefined
  if (speech.provider === 'sandbox')
    return sandboxSpeech({ http: telemetry.http(http, 'ai'), url: sandboxUrl(settings) })
  const io = { http: telemetry.http(providerHttp(speech, clock), 'ai'), clock, retryAfterMs }
  return sdkSpeech(speech, loadSpeechProvider(speech.provider), io)
}

function inVoice(model: SpeechModel, voice: string | undefined): SpeechModel {
  return {
    ...model,
    speak: (request, signal) => model.speak({ ...request, voiceId: request.voiceId ?? voice }, signal),
  }
}

function sandboxUrl({ SANDBOX_PORT }: Given['settings']): string {
  return `http://127.0.0.1:${SANDBOX_PORT}`
}
