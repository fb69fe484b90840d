import type { Http } from '../http/http.ts'
import type { SpeechServer, VideoServer } from '../runtime/generation-settings.ts'
import { loadOptional } from '../runtime/optional-packages.ts'
import type { Asked } from './generation-refusal.ts'
import type { ProviderFetch } from './provider-http.ts'

/** The parts of the AI SDK that make clips. Models are called without `generateVideo`, which would wait and download. */
export type CreateVideoProvider = (options: ProviderOptions) => {
  video(model: string): {
    doGenerate(call: {
      readonly prompt: string
      readonly n: number
      readonly aspectRatio: string
      readonly providerOptions: Readonly<Record<string, Readonly<Record<string, number>>>>
      readonly abortSignal: AbortSignal
    }): PromiseLike<unknown>
  }
}

/** The parts of the AI SDK that generate speech. Models are called without `generateSpeech`, which would retry. */
export type CreateSpeechProvider = (options: ProviderOptions) => {
  speech(model: string): {
    doGenerate(call: {
      readonly text: string
      readonly voice?: string
      readonly abortSignal: AbortSignal
    }): PromiseLike<unknown>
  }
}

/** What a model needs from its environment. */
export interface GeneratorIo extends Pick<Asked, 'clock' | 'retryAfterMs'> {
  readonly http: Http
}

export interface ProviderOptions {
  readonly apiKey: string
  /** Replicate's name for the API key. */
  readonly apiToken: string
  readonly baseURL: string
  readonly headers?: Readonly<Record<string, undefined>>
  readonly fetch: ProviderFetch
}

type Factories<Provider extends string> = Readonly<Record<Provider, readonly [string, string]>>

/** The package of each provider, and what it exports. */
const VIDEO_FACTORIES: Factories<VideoServer['provider']> = {
  fal: ['@ai-sdk/fal', 'createFal'],
  replicate: ['@ai-sdk/replicate', 'createReplicate'],
  google: ['@ai-sdk/google', 'createGoogleGenerativeAI'],
}

const SPEECH_FACTORIES: Factories<SpeechServer['provider']> = {
  openai: ['@ai-sdk/openai', 'createOpenAI'],
  elevenlabs: ['@ai-sdk/elevenlabs', 'createElevenLabs'],
  // The SDK's package of this name has no speech.
  'openai-compatible': ['@ai-sdk/openai', 'createOpenAI'],
}

/** @throws NotInstalled with the command that installs its package */
export function loadVideoProvider(provider: VideoServer['provider']): CreateVideoProvider {
  return exported(VIDEO_FACTORIES[provider]) as CreateVideoProvider
}

/** @throws NotInstalled with the command that installs its package */
export function loadSpeechProvider(provider: SpeechServer['provider']): CreateSpeechProvider {
  return exported(SPEECH_FACTORIES[provider]) as CreateSpeechProvider
}

function exported([name, factory]: readonly [string, string]): unknown {
  const [providers] = loadOptional(name) as [Record<string, unknown>]
  return providers[factory]
}

/**
 * SDK options that leave it nothing to read from the providers' own environment variables.
 *
 * @param apiKey absent if the server needs none: then none is sent
 */
export function providerOptions(apiKey: string | undefined, baseURL: string, fetch: ProviderFetch): ProviderOptions {
  const key = apiKey ?? ''
  return {
    apiKey: key,
    apiToken: key,
    baseURL,
    fetch,
    ...(apiKey === undefined && { headers: { Authorization: undefined } }),
  }
}
