import { z } from 'zod'
import type { Http } from '../platforms/http.ts'
import type { SpeechServer, VideoServer } from '../system/generation-settings.ts'
import type { Asked } from './generation-refusal.ts'
import type { ProviderFetch } from './provider-http.ts'
import { isFunction } from '../system/optional-packages.ts'
import { aiFolder, fromAiPackages } from './sdk-packages.ts'

/** The parts of the AI SDK that make clips. The models are called without `generateVideo`, which would wait and download. */
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

/** The parts of the AI SDK that speak. The models are called without `generateSpeech`, which would try again. */
export type CreateSpeechProvider = (options: ProviderOptions) => {
  speech(model: string): {
    doGenerate(call: {
      readonly text: string
      readonly voice?: string
      readonly abortSignal: AbortSignal
    }): PromiseLike<unknown>
  }
}

/** What a model needs of the world. */
export interface GeneratorIo extends Pick<Asked, 'clock' | 'retryAfterMs'> {
  readonly http: Http
}

export interface ProviderOptions {
  readonly apiKey: string
  /** As Replicate calls it. */
  readonly apiToken: string
  readonly baseURL: string
  readonly headers?: Readonly<Record<string, undefined>>
  readonly fetch: ProviderFetch
}

const VIDEO_FACTORIES = {
  fal: { from: '@ai-sdk/fal', name: 'createFal' },
  replicate: { from: '@ai-sdk/replicate', name: 'createReplicate' },
  google: { from: '@ai-sdk/google', name: 'createGoogleGenerativeAI' },
} as const

const SPEECH_FACTORIES = {
  openai: { from: '@ai-sdk/openai', name: 'createOpenAI' },
  elevenlabs: { from: '@ai-sdk/elevenlabs', name: 'createElevenLabs' },
  // The SDK's package of this name does not speak.
  'openai-compatible': { from: '@ai-sdk/openai', name: 'createOpenAI' },
} as const

const createVideoProvider = z.custom<CreateVideoProvider>(isFunction)
const createSpeechProvider = z.custom<CreateSpeechProvider>(isFunction)

/** @throws SettingsError when the provider's package is not installed */
export function loadVideoProvider(provider: VideoServer['provider'], folder = aiFolder()): CreateVideoProvider {
  const { from, name } = VIDEO_FACTORIES[provider]
  return fromAiPackages(`VIDEO_PROVIDER=${provider}`, folder, (exported) => exported(from, name, createVideoProvider))
}

/** @throws SettingsError when the provider's package is not installed */
export function loadSpeechProvider(provider: SpeechServer['provider'], folder = aiFolder()): CreateSpeechProvider {
  const { from, name } = SPEECH_FACTORIES[provider]
  return fromAiPackages(`SPEECH_PROVIDER=${provider}`, folder, (exported) => exported(from, name, createSpeechProvider))
}

/**
 * Options for the SDK that leave it nothing to take from environment variables of the providers' own.
 *
 * @param apiKey absent where a server asks for none: then none is sent
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
