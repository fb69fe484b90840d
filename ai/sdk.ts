import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import type { AiServer } from '../system/ai-settings.ts'
import { packageRoot } from '../system/package-root.ts'
import { SettingsError } from '../system/settings.ts'
import type { Fetch } from './http-fetch.ts'

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

const isFunction = (value: unknown): boolean => typeof value === 'function'
const core = z.object({ generateText: z.custom<Sdk['generateText']>(isFunction) })
const createProvider = z.custom<Sdk['createProvider']>(isFunction)

/**
 * The AI SDK with one provider, from the package in `ai/` that has it installed, which compiled code in `dist/` would not
 * find by itself.
 *
 * @param folder of that package
 * @throws SettingsError when it is not installed
 */
export function loadSdk(provider: AiServer['provider'], folder = join(packageRoot(), 'ai')): Sdk {
  const load = createRequire(join(folder, 'package.json'))
  // It would warn on the console, between the lines of the log.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const { from, name } = FACTORIES[provider]
  try {
    const { generateText } = core.parse(load('ai'))
    const exported = z.object({ [name]: createProvider }).parse(load(from))
    return { generateText, createProvider: createProvider.parse(exported[name]) }
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new SettingsError(
      `AI_PROVIDER=${provider} needs packages that are not installed. Install them with: npm run ai:install`,
    )
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'
}
