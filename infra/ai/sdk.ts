import type { AiServer } from '../runtime/ai-settings.ts'
import { loadOptional } from '../runtime/optional-packages.ts'
import type { Fetch } from '../http/http-fetch.ts'

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

/** The package of each provider, and what it exports. */
const FACTORIES: Readonly<Record<AiServer['provider'], readonly [string, string]>> = {
  openai: ['@ai-sdk/openai', 'createOpenAI'],
  anthropic: ['@ai-sdk/anthropic', 'createAnthropic'],
  'openai-compatible': ['@ai-sdk/openai-compatible', 'createOpenAICompatible'],
}

/**
 * The AI SDK with one provider.
 *
 * @throws NotInstalled with the command that installs its packages
 */
export function loadSdk(provider: AiServer['provider']): Sdk {
  // The SDK would otherwise print warnings to the console, between our log lines.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const [name, factory] = FACTORIES[provider]
  const [sdk, providers] = loadOptional('ai', name) as [Pick<Sdk, 'generateText'>, Record<string, CreateProvider>]
  return { generateText: sdk.generateText, createProvider: providers[factory] as CreateProvider }
}
