import { createRequire } from 'node:module'
import type { AiServer } from '../runtime/ai-settings.ts'
import type { Fetch } from '../http/http-fetch.ts'

/** Loads a package on first use: most installations use one provider or none. */
const load = createRequire(import.meta.url)

/** The parts of the AI SDK used here. */
export interface Sdk {
  createProvider(options: ProviderOptions): (model: string) => LanguageModel
  generateText(call: {
    readonly model: LanguageModel
    readonly system: string
    readonly prompt: string
    readonly maxOutputTokens: number
    readonly maxRetries: number
    readonly abortSignal: AbortSignal
    readonly providerOptions: Readonly<Record<string, Readonly<Record<string, boolean>>>>
  }): Promise<unknown>
}

interface ProviderOptions {
  readonly name: string
  readonly baseURL: string
  readonly apiKey?: string
  readonly fetch: Fetch
}

/** Opaque: only the SDK looks inside. */
type LanguageModel = object
type CreateProvider = Sdk['createProvider']

const FACTORIES: Readonly<Record<AiServer['provider'], () => CreateProvider>> = {
  openai: () => (load('@ai-sdk/openai') as { createOpenAI: CreateProvider }).createOpenAI,
  anthropic: () => (load('@ai-sdk/anthropic') as { createAnthropic: CreateProvider }).createAnthropic,
  'openai-compatible': () =>
    (load('@ai-sdk/openai-compatible') as { createOpenAICompatible: CreateProvider }).createOpenAICompatible,
}

/** The AI SDK with one provider. */
export function loadSdk(provider: AiServer['provider']): Sdk {
  // The SDK would otherwise print warnings to the console, between our log lines.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const { generateText } = load('ai') as Pick<Sdk, 'generateText'>
  return { generateText, createProvider: FACTORIES[provider]() }
}
