import * as z from 'zod'
import { CAPABILITIES } from '../../domain/account/capability.ts'
import type { Connectable } from '../../domain/account/account-connection.ts'
import { hasAnalytics } from '../../domain/analytics/metrics.ts'
import {
  hasConversations,
  MEDIA_TYPES,
  PLATFORM_KEYS,
  PLATFORM_NAMES,
  type PlatformKey,
} from '../../domain/core/platform.ts'
import { platformOptions } from '../../platforms/post-options.ts'
import { route, type AnyRoute } from '../http/route.ts'
import type { DashboardServices } from './services.ts'

/** Fields whose input is masked. */
const SECRET = /password|secret|token/i

const known = {
  key: z.enum(PLATFORM_KEYS),
  name: z.string(),
  credentialFields: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      secret: z.boolean(),
      required: z.boolean(),
      beforehand: z.boolean().describe('Required before connecting in a browser, which does not provide it.'),
      values: z.array(z.string()).optional().describe('The allowed values, if there is a fixed set.'),
    }),
  ),
  capabilities: z.array(z.enum(CAPABILITIES)).describe('What an account can be used for.'),
  browser: z.boolean().describe('Whether accounts can be connected in a browser.'),
  logins: z
    .array(z.object({ key: z.string(), name: z.string() }))
    .describe('Where there are several ways to log in: those that an app is set up for, the default first.'),
  browserHint: z.string().nullable().describe('The setup that this requires.'),
  server: z.string().nullable().describe('Where accounts are on many servers: the default one.'),
  conversation: z.boolean(),
  media: z.array(z.enum(MEDIA_TYPES)),
  canEdit: z.boolean().describe('Whether published posts can be edited.'),
  captionLimit: z.int().describe('In characters; approximate.'),
  hasDestinations: z.boolean().describe('Whether posts of an account can go to several places, such as boards.'),
  options: z
    .record(z.string(), z.unknown())
    .describe('What platformOptions of a post can set there, apart from destinations: a JSON Schema of each property.'),
}
const platformSchema = z.object({
  ...known,
  hasNumbers: z.boolean().describe('Whether it reports how posts perform.'),
  hasCompetitors: z.boolean().describe('Whether it reports on other accounts.'),
})

/** The platforms that can be connected, and what each requires. */
export function platformRoutes({ connection, competitors }: DashboardServices): readonly AnyRoute[] {
  const platforms = connection.platforms.map((platform) => ({
    ...shown(platform),
    hasNumbers: hasAnalytics(platform.key),
    hasCompetitors: competitors.platforms.includes(platform.key),
  }))
  return [
    route({
      method: 'GET',
      path: '/platforms',
      operationId: 'listPlatforms',
      summary: 'List the platforms and the credentials each requires',
      tag: 'Accounts',
      scope: 'dashboard',
      answer: { status: 200, description: 'All platforms.', schema: z.object({ platforms: z.array(platformSchema) }) },
      handle: async () => ({ status: 200, body: { platforms } }),
    }),
  ]
}

function shown({
  key,
  credentials,
  capabilities,
  consent,
  server,
  media,
  canEdit,
  captionLimit,
  postDefaults,
}: Connectable): z.infer<z.ZodObject<typeof known>> {
  return {
    key,
    name: PLATFORM_NAMES[key],
    credentialFields: Object.entries(credentials.shape).map(([name, field]) => {
      const schema = field as z.ZodType
      const { description = '' } = z.globalRegistry.get(schema) ?? {}
      const values = valuesOf(schema)
      return {
        ...{ name, description },
        secret: SECRET.test(name),
        required: !schema.safeParse(undefined).success,
        beforehand: consent.kind === 'ready' && consent.asksFor.includes(name),
        ...(values && { values: [...values] }),
      }
    }),
    capabilities: [...capabilities],
    browser: consent.kind === 'ready',
    logins: consent.kind === 'ready' ? [...consent.logins] : [],
    browserHint: consent.kind === 'unconfigured' ? consent.missing : null,
    server: server ?? null,
    conversation: hasConversations(key),
    media: [...media],
    canEdit,
    captionLimit,
    hasDestinations: postDefaults !== undefined,
    options: optionsOf(key, Object.keys(postDefaults?.shape ?? {})),
  }
}

function optionsOf(key: PlatformKey, except: readonly string[]): Readonly<Record<string, unknown>> {
  const all: Readonly<Partial<Record<PlatformKey, z.ZodType>>> = platformOptions.shape
  const { properties = {} } = all[key] ? z.toJSONSchema(all[key], { io: 'input' }) : {}
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !except.includes(name)))
}

function valuesOf(field: z.ZodType): readonly string[] | undefined {
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field
  return inner instanceof z.ZodEnum ? inner.options.map(String) : undefined
}
