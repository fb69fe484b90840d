import { hostname } from 'node:os'
import * as z from 'zod'
import { AI_PROVIDERS, aiSettings, type AiSettings } from './ai-settings.ts'
import { appsIn, type AppSettings } from './app-settings.ts'
import { budget, prices, type Prices } from './price-settings.ts'
import {
  SPEECH_PROVIDERS,
  speechSettings,
  VIDEO_PROVIDERS,
  videoSettings,
  type SpeechSettings,
  type VideoSettings,
} from './generation-settings.ts'
import { encryptionKeys } from './key-settings.ts'
import { bucketName, mediaSettings, regionName, S3_ADDRESSING, type MediaSettings } from './media-settings.ts'
import { maintenanceWindows, windowProblems } from './maintenance-settings.ts'
import { misspelledSettings } from './misspelled.ts'
import { groupRoles, issuer, oidcSettings, scopes, type OidcSettings } from './oidc-settings.ts'
import { operatorTargets } from './operator-settings.ts'
import { SANDBOX_PLACES, type SandboxPlace } from './sandbox-place.ts'
import { clusterUrl, count, duration, list, port, size, url, urls } from './setting-values.ts'
import { surfaces } from './surfaces.ts'
import { trimEnd } from './trim-end.ts'
import { verificationFiles, verifiedUrls } from './verification-settings.ts'
import { graphVersion, monthVersion } from './version-settings.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const ROLES = ['api', 'projections', 'reactors'] as const
export type Role = (typeof ROLES)[number]

/** More or longer pauses are no longer retries; far beyond, the time of the next one is not a valid date. */
const MOST_PAUSES = 20
const LONGEST_PAUSE_MS = 30 * 86_400_000
const webhookPauses = list(duration)
  .refine((pauses) => pauses.length <= MOST_PAUSES, { error: `must have at most ${MOST_PAUSES} pauses` })
  .refine((pauses) => pauses.every((ms) => ms <= LONGEST_PAUSE_MS), { error: 'must have pauses of at most 30d each' })

const appHosts = list(
  url('http:', 'https:')
    .refine((value) => !URL.canParse(value) || [new URL(value).origin, `${new URL(value).origin}/`].includes(value), {
      error: 'must be the URL of a host without a path, such as https://proxy.example.com',
    })
    .transform((value) => new URL(value).origin),
)

/** `Webhook` would produce the reserved names of Standard Webhooks in another spelling. */
const headerPrefix = z
  .string()
  .refine((value) => /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/i.test(value) && !/^webhook$/i.test(value), {
    error: 'must be a valid prefix of header names, such as X-Service, and not Webhook',
  })

const DAY_MS = 86_400_000
/** Comments older than 7 days are not fetched (api-spec §8). */
const commentInterval = duration.refine((ms) => ms >= 1_000 && ms <= DAY_MS, { error: 'must be from 1s to 24h' })

/** Platforms that report metrics for posts. */
const COUNTING_PLATFORMS = ['youtube', 'x', 'pinterest', 'bluesky', 'mastodon'] as const
const countingPlatforms = z
  .string()
  .transform((value) => (value.trim() === 'none' ? '' : value))
  .pipe(list(z.enum(COUNTING_PLATFORMS, { error: `must be none, or one or more of ${COUNTING_PLATFORMS.join(',')}` })))

const LONGEST_AI_TIMEOUT_MS = 600_000
const aiTimeout = duration.refine((ms) => ms > 0 && ms <= LONGEST_AI_TIMEOUT_MS, {
  error: 'must be more than 0s and at most 10m',
})

const serverKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/, { error: 'must contain only printable ASCII characters, without spaces' })

const headerList = z
  .string()
  .refine((value) => value.split(',').every((pair) => /^\s*[^\s=]+=(?:[^%]|%[0-9a-f]{2})*$/i.test(pair)), {
    error: 'must be name=value pairs, separated by commas, with URL-encoded values',
  })

const aiModel = z.string().trim().min(1).max(200)

const serverUrl = (keySetting: string) =>
  url('http:', 'https:').refine(
    (value) => {
      if (!URL.canParse(value)) return true
      const { username, password, search, hash } = new URL(value)
      return username + password + search + hash === ''
    },
    { error: `must not contain a user, password, query or fragment; put a key into ${keySetting}` },
  )

const credits = z.coerce.number().int().min(0)
const videoTimeout = duration.refine((ms) => ms > 0 && ms <= DAY_MS, { error: 'must be more than 0s and at most 24h' })

/** `user@example.com`, or with a name as in `Fanfare <fanfare@example.com>`. */
const mailFrom = z.string().regex(/^(?:[^<>\r\n]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, {
  error: 'must be an address, or a name and an address such as Fanfare <fanfare@example.com>',
})

/** The environment variables, documented in `docs/settings.md`. */
const schema = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: url('http:', 'https:').optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  NODE_NAME: z.string().min(1).optional(),
  EVENTSTORE_URL: clusterUrl('esdb:', 'esdb+discover:').optional(),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  NATS_URL: urls('nats:', 'tls:').optional(),
  ENCRYPTION_KEY: encryptionKeys.optional(),
  OUTBOUND_ALLOW: z.string().default(''),
  /** Part of `apps`. */
  FACEBOOK_CONFIG_ID: z.string().min(1).optional(),
  FACEBOOK_GRAPH_VERSION: graphVersion.optional(),
  LINKEDIN_VERSION: monthVersion.optional(),
  APP_HOSTS: appHosts.default([]),
  SANDBOX: z.enum(SANDBOX_PLACES).optional(),
  SANDBOX_PORT: port.optional(),
  SANDBOX_HOST: z.string().default('127.0.0.1'),
  DEMO_HISTORY: z.enum(['on', 'off']).default('on'),
  RATE_LIMIT_PER_MINUTE: count.default(60),
  RATE_LIMIT_PER_DAY: count.default(5000),
  RATE_LIMIT_WORKSPACE_FACTOR: count.default(5),
  DASHBOARD_RATE_LIMIT_PER_MINUTE: count.default(600),
  MAX_KEYS: count.default(100),
  MAX_ACCOUNTS: count.default(1000),
  MAX_FEEDS: count.default(500),
  MAX_RECYCLING_RULES: count.default(1000),
  MAX_WEBHOOKS: count.default(50),
  MAX_NOTIFICATION_CHANNELS: count.default(200),
  MAX_COMPETITORS: count.default(50),
  MAX_PENDING_VIDEOS: count.default(100),
  TRUST_PROXY: z.enum(['on', 'off']).default('off'),
  RETRY_DELAYS: list(duration).default([2_000, 10_000, 60_000, 300_000, 900_000]),
  WEBHOOK_RETRY_DELAYS: webhookPauses.default([60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 86_400_000]),
  WEBHOOK_HEADER_PREFIX: headerPrefix.default('X-Service'),
  REFUSE_DUPLICATES: surfaces.default(['mcp', 'dashboard']),
  SCHEDULE_GRACE: duration.default(12 * 3_600_000),
  WORKER_CONCURRENCY: count.default(32),
  COMMENT_INTERVAL_LEAST: commentInterval.default(120_000),
  COMMENT_INTERVAL_MOST: commentInterval.default(1_800_000),
  AUTO_REPLIES_PER_HOUR: count.default(30),
  METRICS_PLATFORMS: countingPlatforms.default([...COUNTING_PLATFORMS]),
  X_PRICES: prices.default({}),
  X_MONTHLY_BUDGET: budget.optional(),
  MAINTENANCE_WINDOWS: maintenanceWindows.default([]),
  AI_PROVIDER: z.enum(AI_PROVIDERS).optional(),
  AI_MODEL: aiModel.optional(),
  AI_API_KEY: serverKey.optional(),
  AI_BASE_URL: serverUrl('AI_API_KEY').optional(),
  AI_TIMEOUT: aiTimeout.default(60_000),
  AI_MAX_OUTPUT_TOKENS: count.default(1000),
  VIDEO_PROVIDER: z.enum(VIDEO_PROVIDERS).optional(),
  VIDEO_MODEL: aiModel.optional(),
  VIDEO_API_KEY: serverKey.optional(),
  VIDEO_BASE_URL: serverUrl('VIDEO_API_KEY').optional(),
  VIDEO_TIMEOUT: videoTimeout.default(30 * 60_000),
  VIDEO_CREDITS_PER_SCENE: credits.default(1),
  VIDEO_CREDITS_VOICEOVER: credits.default(1),
  SPEECH_PROVIDER: z.enum(SPEECH_PROVIDERS).optional(),
  SPEECH_MODEL: aiModel.optional(),
  SPEECH_API_KEY: serverKey.optional(),
  SPEECH_BASE_URL: serverUrl('SPEECH_API_KEY').optional(),
  SPEECH_VOICE: z.string().trim().min(1).max(200).optional(),
  CONVERT_MEDIA: z.enum(['on', 'off']).default('on'),
  FFMPEG_PATH: z.string().trim().min(1).optional(),
  KEEP_MEDIA_POSITION: z.enum(['on', 'off']).default('off'),
  PIN_MEDIA: z.enum(['on', 'off']).default('on'),
  MEDIA_IN_TRANSIT_MAX: size.default(10e9),
  MEDIA_STORE_MAX: size.default(5e9),
  MEDIA_VERIFIED_URLS: verifiedUrls.default([]),
  VERIFICATION_FILES: verificationFiles.default(new Map()),
  UPLOAD_MAX: size.default(1e9),
  MEDIA_FREE_DISK_MIN: size.default(1e9),
  MEDIA_S3_ENDPOINT: serverUrl('MEDIA_S3_SECRET_ACCESS_KEY').optional(),
  MEDIA_S3_BUCKET: bucketName.optional(),
  MEDIA_S3_REGION: regionName.default('us-east-1'),
  MEDIA_S3_ACCESS_KEY_ID: serverKey.optional(),
  MEDIA_S3_SECRET_ACCESS_KEY: serverKey.optional(),
  MEDIA_S3_ADDRESSING: z.enum(S3_ADDRESSING).default('path'),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_FROM: mailFrom.default('Fanfare <fanfare@localhost>'),
  OPERATOR_NOTIFY: operatorTargets.optional(),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: z.string().trim().min(1).max(500).optional(),
  OIDC_CLIENT_SECRET: serverKey.optional(),
  OIDC_SCOPES: scopes.default(['openid', 'profile', 'email']),
  OIDC_GROUPS_CLAIM: z.string().trim().min(1).max(200).default('groups'),
  OIDC_ROLES: groupRoles.optional(),
  OIDC_WORKSPACE: z.string().trim().min(1).max(200).optional(),
  OIDC_NAME: z.string().trim().min(1).max(50).default('single sign-on'),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_TOKEN: serverKey.optional(),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url('http:', 'https:').optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal('http/json', { error: 'must be http/json, the only supported protocol' })
    .default('http/json'),
  OTEL_EXPORTER_OTLP_HEADERS: headerList.optional(),
})

type Given = z.infer<typeof schema>

type InGroups =
  | `AI_${string}`
  | `MEDIA_S3_${string}`
  | `OIDC_${string}`
  | `${'VIDEO' | 'SPEECH'}_${'PROVIDER' | 'MODEL' | 'API_KEY' | 'BASE_URL'}`

/** Provider settings are grouped in `ai`, `video`, `speech` and `oidc`, those of the media store in `media`. */
export type Settings = Omit<
  Given,
  'NODE_NAME' | 'X_PRICES' | 'X_MONTHLY_BUDGET' | 'SANDBOX' | 'SANDBOX_PORT' | Extract<keyof Given, InGroups>
> & {
  /** Keyed by the lowercase name before `_CLIENT_`. Some may not be platforms: the environment is not ours alone. */
  readonly apps: ReadonlyMap<string, AppSettings>
  /** The operator's own prices, by platform. */
  readonly prices: ReadonlyMap<string, Prices>
  /** The most to spend on a platform in a month, in US dollars. */
  readonly budgets: ReadonlyMap<string, number>
  /** The folders of programs, as in `PATH`. */
  readonly searchPath: string
  readonly ai: AiSettings
  readonly video: VideoSettings
  readonly speech: SpeechSettings
  readonly media: MediaSettings
  readonly oidc: OidcSettings | undefined
  readonly NODE_NAME: string
  readonly SANDBOX: SandboxPlace
  readonly SANDBOX_PORT: number
}

/** Settings that cannot be used. */
export class SettingsError extends Error {
  /** @param problems each begins with the name of its variable */
  constructor(problems: readonly string[]) {
    super(`These settings are invalid:\n  ${problems.join('\n  ')}`)
    this.name = 'SettingsError'
  }
}

/**
 * The settings of the process, from its environment. An empty variable counts as absent.
 *
 * @throws SettingsError naming every invalid variable
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(given)
  const misspelled = misspelledSettings(Object.keys(given), Object.keys(schema.shape))
  if (!parsed.success) {
    const invalid = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new SettingsError([...invalid, ...misspelled])
  }
  if (misspelled.length > 0) throw new SettingsError(misspelled)
  const settings = parsed.data
  if (settings.DATABASE_URL && !settings.ENCRYPTION_KEY) {
    throw new SettingsError([
      'ENCRYPTION_KEY: is required with DATABASE_URL; set it to the same value for every process',
    ])
  }
  if (settings.OPERATOR_NOTIFY?.some(({ kind }) => kind === 'email') && !settings.SMTP_URL) {
    throw new SettingsError(['SMTP_URL: is required with an e-mail address in OPERATOR_NOTIFY'])
  }
  const tooLong = windowProblems(settings.MAINTENANCE_WINDOWS, settings.SCHEDULE_GRACE)
  if (tooLong.length > 0) throw new SettingsError(tooLong)
  const SANDBOX = settings.SANDBOX ?? (settings.DATABASE_URL ? 'off' : 'on')
  const chosen = { ...settings, SANDBOX }
  const [ai, video, speech] = [aiSettings(chosen), videoSettings(chosen), speechSettings(chosen)]
  const [media, oidc] = [mediaSettings(settings), oidcSettings(settings)]
  if ('problems' in ai || 'problems' in video || 'problems' in speech || 'problems' in media || 'problems' in oidc) {
    throw new SettingsError([ai, video, speech, media, oidc].flatMap((of) => ('problems' in of ? of.problems : [])))
  }
  return {
    ...settings,
    ...{ ai, video, speech, media, oidc: oidc.server, searchPath: given['PATH'] ?? '' },
    apps: appsIn(given),
    prices: new Map([['x', settings.X_PRICES]]),
    budgets: new Map(settings.X_MONTHLY_BUDGET === undefined ? [] : [['x', settings.X_MONTHLY_BUDGET]]),
    NODE_NAME: settings.NODE_NAME ?? `${hostname()}:${settings.PORT}`,
    SANDBOX,
    SANDBOX_PORT: settings.SANDBOX_PORT ?? (settings.PORT === 0 ? 0 : settings.PORT + 1),
  }
}

/** The service's own URL, without a trailing slash. Known before it listens, unless the port is picked by the system. */
export function serviceUrl({ PUBLIC_URL, HOST, PORT }: Settings): string {
  if (PUBLIC_URL !== undefined) return trimEnd(PUBLIC_URL, /^\/$/)
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}
