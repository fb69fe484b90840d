import type { SandboxPlace } from './sandbox-place.ts'
import { trimEnd } from './trim-end.ts'

export const VIDEO_PROVIDERS = ['sandbox', 'fal', 'replicate', 'google'] as const
type VideoProvider = (typeof VIDEO_PROVIDERS)[number]

export const SPEECH_PROVIDERS = ['sandbox', 'openai', 'elevenlabs', 'openai-compatible'] as const
type SpeechProvider = (typeof SPEECH_PROVIDERS)[number]

/** A provider reached over HTTP. */
interface Server<Provider extends string> {
  readonly provider: Provider
  readonly model: string
  /** Absent if the server needs none. */
  readonly apiKey: string | undefined
  /** Without a trailing slash. */
  readonly baseUrl: string
}

export type VideoServer = Server<Exclude<VideoProvider, 'sandbox'>>
export type SpeechServer = Server<Exclude<SpeechProvider, 'sandbox'>>

type Chosen<Found> = { readonly provider: 'none' } | { readonly provider: 'sandbox' } | Found
export type VideoSettings = Chosen<VideoServer>
export type SpeechSettings = Chosen<SpeechServer>

/** As given in the environment. */
export interface GivenGenerationSettings {
  readonly SANDBOX: SandboxPlace
  readonly VIDEO_PROVIDER?: VideoProvider | undefined
  readonly VIDEO_MODEL?: string | undefined
  readonly VIDEO_API_KEY?: string | undefined
  readonly VIDEO_BASE_URL?: string | undefined
  readonly SPEECH_PROVIDER?: SpeechProvider | undefined
  readonly SPEECH_MODEL?: string | undefined
  readonly SPEECH_API_KEY?: string | undefined
  readonly SPEECH_BASE_URL?: string | undefined
}

/** Explicit, so that none is read from the providers' own environment variables. */
export const VIDEO_BASE_URLS = {
  fal: 'https://queue.fal.run',
  replicate: 'https://api.replicate.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const

/** A self-hosted server has no default address, and may need no key. */
export const SPEECH_BASE_URLS = {
  openai: 'https://api.openai.com/v1',
  elevenlabs: 'https://api.elevenlabs.io',
  'openai-compatible': undefined,
} as const

/** Consistent settings, or what is wrong: one line per setting. */
type Checked<T> = T | { readonly problems: readonly string[] }

/** Which provider makes clips. */
export function videoSettings(given: GivenGenerationSettings): Checked<VideoSettings> {
  const { VIDEO_PROVIDER: provider, VIDEO_MODEL: model, VIDEO_API_KEY: apiKey, VIDEO_BASE_URL: baseUrl } = given
  return chosen({ kind: 'VIDEO', sandbox: given.SANDBOX, provider, model, apiKey, baseUrl }, VIDEO_BASE_URLS)
}

/** Which provider generates speech. */
export function speechSettings(given: GivenGenerationSettings): Checked<SpeechSettings> {
  const { SPEECH_PROVIDER: provider, SPEECH_MODEL: model, SPEECH_API_KEY: apiKey, SPEECH_BASE_URL: baseUrl } = given
  return chosen({ kind: 'SPEECH', sandbox: given.SANDBOX, provider, model, apiKey, baseUrl }, SPEECH_BASE_URLS)
}

interface Given<Provider extends string> {
  /** The prefix of the setting names. */
  readonly kind: 'VIDEO' | 'SPEECH'
  readonly sandbox: SandboxPlace
  readonly provider: Provider | 'sandbox' | undefined
  readonly model: string | undefined
  readonly apiKey: string | undefined
  readonly baseUrl: string | undefined
}

function chosen<Provider extends string>(
  given: Given<Provider>,
  baseUrls: Readonly<Record<Provider, string | undefined>>,
): Checked<Chosen<Server<Provider>>> {
  const { kind, provider, model, apiKey } = given
  if (provider === undefined || provider === 'sandbox') return withoutServer(given, Object.keys(baseUrls))

  const known = baseUrls[provider]
  const baseUrl = given.baseUrl ?? known
  const required = `is required with ${kind}_PROVIDER=${provider}; set it to`
  const problems: string[] = []
  if (model === undefined) problems.push(`${kind}_MODEL: ${required} the name of a model`)
  if (apiKey === undefined && known !== undefined)
    problems.push(`${kind}_API_KEY: ${required} an API key of the provider`)
  if (baseUrl === undefined) problems.push(`${kind}_BASE_URL: ${required} a URL such as http://127.0.0.1:8880/v1`)
  if (model === undefined || baseUrl === undefined || problems.length > 0) return { problems }
  return { provider, model, apiKey, baseUrl: trimEnd(baseUrl, /^\/$/) }
}

function withoutServer(
  { kind, sandbox, provider, model, apiKey, baseUrl }: Given<string>,
  others: readonly string[],
): Checked<Chosen<never>> {
  const values = { MODEL: model, API_KEY: apiKey, BASE_URL: baseUrl }
  const idle = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${kind}_${name}`]))
  if (idle.length > 0) {
    return { problems: [`${kind}_PROVIDER: must be one of ${others.join(', ')} to use ${idle.join(' and ')}`] }
  }
  if (provider === 'sandbox' && sandbox === 'off') {
    return {
      problems: [
        `${kind}_PROVIDER: can be sandbox only if the sandbox runs: set SANDBOX=on, or choose another provider`,
      ],
    }
  }
  return { provider: sandbox === 'off' ? 'none' : 'sandbox' }
}
