import type { SandboxPlace } from './sandbox-place.ts'
import { trimEnd } from './trim-end.ts'

export const AI_PROVIDERS = ['sandbox', 'openai', 'anthropic', 'openai-compatible'] as const
type AiProvider = (typeof AI_PROVIDERS)[number]

/** An AI reached over HTTP. */
export interface AiServer {
  readonly provider: Exclude<AiProvider, 'sandbox'>
  readonly model: string
  /** Absent if the server needs none. */
  readonly apiKey: string | undefined
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Per call. */
  readonly timeoutMs: number
  readonly maxOutputTokens: number
}

export type AiSettings = { readonly provider: 'none' } | { readonly provider: 'sandbox' } | AiServer

/** As given in the environment. */
export interface GivenAiSettings {
  readonly SANDBOX: SandboxPlace
  readonly AI_PROVIDER?: AiProvider | undefined
  readonly AI_MODEL?: string | undefined
  readonly AI_API_KEY?: string | undefined
  readonly AI_BASE_URL?: string | undefined
  readonly AI_TIMEOUT: number
  readonly AI_MAX_OUTPUT_TOKENS: number
}

/** Explicit, so that none is read from the providers' own environment variables. */
const BASE_URLS = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  'openai-compatible': undefined,
} as const

/** Which AI writes text, or what is wrong: one line per setting. */
export function aiSettings(given: GivenAiSettings): AiSettings | { readonly problems: readonly string[] } {
  const { AI_PROVIDER: provider, AI_MODEL: model, AI_API_KEY: apiKey, AI_BASE_URL: baseUrl } = given
  if (provider === undefined || provider === 'sandbox') return withoutServer(given)

  const url = baseUrl ?? BASE_URLS[provider]
  const problems: string[] = []
  if (model === undefined)
    problems.push(`AI_MODEL: is required with AI_PROVIDER=${provider}; set it to the name of a model`)
  if (apiKey === undefined && provider !== 'openai-compatible') {
    problems.push(`AI_API_KEY: is required with AI_PROVIDER=${provider}; set it to an API key of the provider`)
  }
  if (url === undefined) {
    problems.push(
      `AI_BASE_URL: is required with AI_PROVIDER=${provider}; set it to a URL such as http://127.0.0.1:11434/v1`,
    )
  }
  if (model === undefined || url === undefined || problems.length > 0) return { problems }
  return {
    ...{ provider, model, apiKey, baseUrl: trimEnd(url, /^\/$/) },
    timeoutMs: given.AI_TIMEOUT,
    maxOutputTokens: given.AI_MAX_OUTPUT_TOKENS,
  }
}

function withoutServer(given: GivenAiSettings): ReturnType<typeof aiSettings> {
  const { SANDBOX, AI_PROVIDER: provider } = given
  const idle = (['AI_MODEL', 'AI_API_KEY', 'AI_BASE_URL'] as const).filter((name) => given[name] !== undefined)
  if (idle.length > 0) {
    const others = AI_PROVIDERS.filter((name) => name !== 'sandbox').join(', ')
    return { problems: [`AI_PROVIDER: must be one of ${others} to use ${idle.join(' and ')}`] }
  }
  if (provider === 'sandbox' && SANDBOX === 'off') {
    return {
      problems: ['AI_PROVIDER: can be sandbox only if the sandbox runs: set SANDBOX=on, or choose another provider'],
    }
  }
  return { provider: SANDBOX === 'off' ? 'none' : 'sandbox' }
}
