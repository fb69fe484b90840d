import { createRequire } from 'node:module'
import type { Http } from '../http/http.ts'
import type { SpeechServer, VideoServer } from '../runtime/generation-settings.ts'
import type { Asked } from './generation-refusal.ts'
import type { ProviderFetch } from './provider-http.ts'

/** Loads a package on first use. */
const load = createRequire(import.meta.url)

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

const createOpenAI = () => (load('@ai-sdk/openai') as { createOpenAI: CreateSpeechProvider }).createOpenAI

const VIDEO_FACTORIES: Readonly<Record<VideoServer['provider'], () => CreateVideoProvider>> = {
  fal: () => (load('@ai-sdk/fal') as { createFal: CreateVideoProvider }).createFal,
  replicate: () => (load('@ai-sdk/replicate') as { createReplicate: CreateVideoProvider }).createReplicate,
  google: () => (load('@ai-sdk/google') as { createGoogleGenerativeAI: CreateVideoProvider }).createGoogleGenerativeAI,
}

const SPEECH_FACTORIES: Readonly<Record<SpeechServer['provider'], () => CreateSpeechProvider>> = {
  openai: createOpenAI,
  elevenlabs: () => (load('@ai-sdk/elevenlabs') as { createElevenLabs: CreateSpeechProvider }).createElevenLabs,
  // The SDK's package of this name has no speech.
  'openai-compatible': createOpenAI,
}

export function loadVideoProvider(provider: VideoServer['provider']): CreateVideoProvider {
  return VIDEO_FACTORIES[provider]()
}

export function loadSpeechProvider(provider: SpeechServer['provider']): CreateSpeechProvider {
  return SPEECH_FACTORIES[provider]()
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
