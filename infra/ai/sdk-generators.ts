import { createRequire } from 'node:module'
import type { Http } from '../http/http.ts'
import type { SpeechServer, VideoServer } from '../runtime/generation-settings.ts'
import type { Asked } from './generation-refusal.ts'
import type { ProviderFetch } from './provider-http.ts'

/** Loads a package when it is first used. */
const load = createRequire(import.meta.url)

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

const createOpenAI = () => (load('@ai-sdk/openai') as { createOpenAI: CreateSpeechProvider }).createOpenAI

const VIDEO_FACTORIES: Readonly<Record<VideoServer['provider'], () => CreateVideoProvider>> = {
  fal: () => (load('@ai-sdk/fal') as { createFal: CreateVideoProvider }).createFal,
  replicate: () => (load('@ai-sdk/replicate') as { createReplicate: CreateVideoProvider }).createReplicate,
  google: () => (load('@ai-sdk/google') as { createGoogleGenerativeAI: CreateVideoProvider }).createGoogleGenerativeAI,
}

const SPEECH_FACTORIES: Readonly<Record<SpeechServer['provider'], () => CreateSpeechProvider>> = {
  openai: createOpenAI,
  elevenlabs: () => (load('@ai-sdk/elevenlabs') as { createElevenLabs: CreateSpeechProvider }).createElevenLabs,
  // The SDK's package of this name does not speak.
  'openai-compatible': createOpenAI,
}

export function loadVideoProvider(provider: VideoServer['provider']): CreateVideoProvider {
  return VIDEO_FACTORIES[provider]()
}

export function loadSpeechProvider(provider: SpeechServer['provider']): CreateSpeechProvider {
  return SPEECH_FACTORIES[provider]()
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
