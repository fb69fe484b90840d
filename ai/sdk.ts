import { z } from 'zod'
import type { AiServer } from '../system/ai-settings.ts'
import type { Fetch } from './http-fetch.ts'
import { isFunction } from '../system/optional-packages.ts'
import { aiFolder, fromAiPackages } from './sdk-packages.ts'

/** The parts of the AI SDK that are used here; its own types are only there where it is installed. */
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

/** The SDK's own. */
type LanguageModel = object

const FACTORIES = {
  openai: { from: '@ai-sdk/openai', name: 'createOpenAI' },
  anthropic: { from: '@ai-sdk/anthropic', name: 'createAnthropic' },
  'openai-compatible': { from: '@ai-sdk/openai-compatible', name: 'createOpenAICompatible' },
} as const

const generateText = z.custom<Sdk['generateText']>(isFunction)
const createProvider = z.custom<Sdk['createProvider']>(isFunction)

/**
 * The AI SDK with one provider.
 *
 * @param folder of the package that has it installed
 * @throws SettingsError when it is not installed
 */
export function loadSdk(provider: AiServer['provider'], folder = aiFolder()): Sdk {
  // It would warn on the console, between the lines of the log.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const { from, name } = FACTORIES[provider]
  return fromAiPackages(`AI_PROVIDER=${provider}`, folder, (exported) => ({
    generateText: exported('ai', 'generateText', generateText),
    createProvider: exported(from, name, createProvider),
  }))
}
