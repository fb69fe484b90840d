import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Test } from 'tap'
import { CHANNELS } from '../../app/wiring/channels.ts'
import { apiKeyFormat } from '../../infra/runtime/key-format.ts'
import type { HealthChecks } from '../../api/ops/health.ts'
import { createCursors } from '../../api/http/pagination.ts'
import { buildServer, type ServerOptions } from '../../api/server.ts'
import type { Services } from '../../api/kit/services.ts'
import { createApiKey } from '../../commands/create-api-key.ts'
import { handle } from '../../commands/handle.ts'
import { createPasswords } from '../../infra/postgres/passwords.ts'
import { createTotps } from '../../infra/postgres/totps.ts'
import { listenForSignals, type Signals } from '../../infra/postgres/signal.ts'
import { webhookSecrets } from '../../infra/postgres/webhook-secrets.ts'
import { apiKey } from '../../domain/workspace/api-key.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { createErasableKeys } from '../../event-log/postgres/erasable-keys.ts'
import { SCOPES, type Scope } from '../../domain/core/scope.ts'
import type { Lookup } from '../../infra/http/outbound-address.ts'
import { uploadName, uploadToken } from '../../infra/media/media-name.ts'
import { mediaUrl } from '../../infra/media/media-url.ts'
import { outboundPolicy } from '../../infra/http/outbound-guard.ts'
import { sandboxPageUrl } from '../../infra/runtime/sandbox-page.ts'
import { platforms } from '../../platforms/registry.ts'
import type { OwnApps } from '../../platforms/kit/own-apps.ts'
import { createCeilings, type CeilingSettings } from '../../projections/models/ceilings.ts'
import { projections } from '../../projections/models/index.ts'
import { accountAuthorization } from '../../reactors/accounts/account-authorization.ts'
import type { AuthorizationDeps } from '../../reactors/accounts/begin-authorization.ts'
import { accountRemovals } from '../../reactors/accounts/account-removals.ts'
import { sandboxConsent } from '../../app/wiring/authorization.ts'
import { accountConnection } from '../../reactors/accounts/account-connection.ts'
import { authorizationSeals } from '../../reactors/accounts/authorization-seals.ts'
import { authorizationStore } from '../../reactors/accounts/authorization-store.ts'
import { createPrices } from '../../reactors/publishing/prices.ts'
import { monthCosts } from '../../reactors/accounts/month-costs.ts'
import { createUploads } from '../../reactors/media/receive-upload.ts'
import { competitorTracking } from '../../reactors/analytics/add-competitor.ts'
import { liveNumbers } from '../../reactors/analytics/live-numbers.ts'
import { createDestinations } from '../../reactors/accounts/destinations.ts'
import { editRulesOf } from '../../reactors/publishing/edit.ts'
import { createSmallImages } from '../../reactors/media/small-image.ts'
import { createPreview } from '../../reactors/publishing/preview.ts'
import { webhookAddressCheck } from '../../reactors/webhooks/webhook-address.ts'
import { createProjector } from '../../projections/engine/projector.ts'
import { watchSeen } from '../../projections/engine/seen.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { createLogger, type Logger } from '../../infra/runtime/logger.ts'
import { endlessRoom } from './media-room.ts'
import { givenForecast } from './forecast.ts'
import type { Answer } from './api-answer.ts'
import { conformance } from './document.ts'
import { movableClock } from './movable-clock.ts'
import { ids } from './sandbox.ts'
import type { VirtualClock } from './virtual-clock.ts'
import { DERIVATION_SECRET, accessOf, causedBy, givenWorld, vaultOf, type World } from './world.ts'

/** A request to the API. `path` is absolute; `body` is sent as JSON, `payload` as it is. */
export interface Call {
  readonly method?: string
  readonly path: string
  readonly key?: string
  readonly body?: unknown
  readonly payload?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  readonly from?: string
}

/** One API process. Every answer is held against the contract before it is given. */
export interface Server {
  readonly app: FastifyInstance
  call(call: Call): Promise<Answer>
  /** Listens on a free port; returns it. */
  listen(): Promise<number>
}

/** A world with its API: one server, and a projector that follows the log unless it was asked not to. */
export interface ApiWorld extends Server {
  readonly world: World
  readonly logger: Logger
  /** What was logged by everything that was given `logger`. */
  readonly logged: readonly string[]
  /** A new API key, in its raw form. */
  key(options?: { readonly scopes?: readonly Scope[]; readonly workspaceId?: string }): Promise<string>
  /** Another process of the same service. */
  server(parts?: ServerParts): Promise<Server>
  startProjector(): void
  stopProjector(): Promise<void>
}

export interface ServerParts extends Partial<Omit<ServerOptions, 'services' | 'dashboard'>> {
  readonly services?: Partial<Services>
  readonly dashboard?: Partial<ServerOptions['dashboard']>
  readonly ceilings?: Partial<CeilingSettings>
  /** What this installation has on the platforms. Default: nothing. */
  readonly apps?: OwnApps
}

export const CURSOR_KEY = DERIVATION_SECRET
/** Out of the way of every test that does not ask for it. */
const NO_LIMITS = { perMinute: 1_000_000, perDay: 10_000_000 }
/** Nobody waits: what is asked for is done when the test has it done. */
const CONVERSATIONS = {
  replyPatienceMs: 0,
  replyRulesOf: (platform: PlatformKey) => platforms[platform].conversation,
  canUnpublish: (platform: PlatformKey) => platforms[platform].unpublish !== undefined,
  editRulesOf: (platform: PlatformKey) => editRulesOf(platforms[platform]),
}
/** As the sandbox's: two voices, a credit a piece. */
const VIDEOS: Services['videos'] = {
  prices: { perScene: 1, voiceover: 1 },
  generates: { video: true, speech: true },
  voices: ['en', 'de'],
  urlOf: (file) => mediaUrl('https://fanfare.test', file),
}
/** The names and URLs of uploads as a service makes them. */
export const UPLOADS = {
  maxBytes: 100_000_000,
  fileOf: (id, type) => uploadName(CURSOR_KEY, id, type),
  tokenOf: (id) => uploadToken(CURSOR_KEY, id),
  urlOf: (id) => `https://fanfare.test/uploads/${id}/${uploadToken(CURSOR_KEY, id)}`,
} satisfies Partial<Services['uploads']>
const NO_CHECKS: HealthChecks = {}
/** Milliseconds for a view that is followed. */
const PATIENCE_MS = 15_000
/** A password's hash that takes no time. */
export const CHEAP = { N: 16, r: 8, p: 1 }
/** Names are public, but for those of nobody. */
const anyName: Lookup = async (name) => (name.endsWith('.invalid') ? [] : [{ address: '1.1.1.1', family: 4 }])

export function connectionStringOf(db: pg.Pool): string {
  const { connectionString } = db.options
  if (connectionString === undefined) throw new Error('the pool was not made from a connection string')
  return connectionString
}

/** The default where a test reaches it. */
export const HIGH_CEILINGS = {
  ...{ MAX_KEYS: 1_000, MAX_ACCOUNTS: 1_000, MAX_FEEDS: 1_000, MAX_RECYCLING_RULES: 1_000 },
  ...{ MAX_WEBHOOKS: 50, MAX_NOTIFICATION_CHANNELS: 200, MAX_COMPETITORS: 50, MAX_PENDING_VIDEOS: 1_000 },
}

const NOTHING_FORECAST = { published: 0, waits: 0, fails: 0, held: 0, usd: 0 }

/** What the table of routes can be made from when none of them is called. */
export function idleServices({ db, log, clock }: World): Services {
  const cursors = createCursors(CURSOR_KEY)
  const seen: Services['seen'] = { waitFor: async () => true, close: () => undefined }
  const secrets = webhookSecrets(vaultOf({ db }))
  const previewPost: Services['previewPost'] = async () => []
  return {
    db,
    log,
    clock,
    cursors,
    seen,
    ceilings: createCeilings(db, HIGH_CEILINGS),
    mediaRoom: endlessRoom,
    previewPost,
    forecastPosts: async () => ({ from: '', until: '', entries: [], totals: NOTHING_FORECAST }),
    refuseDuplicates: [],
    webhookSecrets: secrets,
    refuseAddress: async () => undefined,
    vault: vaultOf({ db }),
    passwords: createPasswords(db, CHEAP),
    url: () => 'https://fanfare.test',
    sendsMail: true,
    ...CONVERSATIONS,
    videos: VIDEOS,
    uploads: {
      ...UPLOADS,
      receive: async () => ({ status: 'incomplete', received: 0 }),
      mustFit: async () => undefined,
    },
    liveNumbers: { ofPost: async () => ({}), ofChannel: async () => ({}) },
    destinationsOf: async () => [],
    sandbox: undefined,
    costsOf: () => undefined,
    monthCosts: async () => [],
    prices: { ofPost: async () => 0, ofReply: () => 0 },
    whyNotAllowed: async () => undefined,
    erasableKeys: createErasableKeys({ db, vault: vaultOf({ db }) }),
  }
}

export async function givenApi(
  t: Test,
  options: ServerParts & {
    readonly clock?: VirtualClock
    readonly projecting?: boolean
    readonly convertsImages?: boolean
  } = {},
): Promise<ApiWorld> {
  const { clock = movableClock(), projecting = true, convertsImages = false, ...parts } = options
  const world = await givenWorld(t, { clock, convertsImages })
  const logged: string[] = []
  const logger = createLogger('debug', { write: (line) => void logged.push(line) })
  const secrets: string[] = []
  t.teardown(() => {
    const seen = secrets.filter((secret) => logged.some((line) => line.includes(secret)))
    if (seen.length > 0) throw new Error(`${seen.length} of ${secrets.length} secrets stand in the log`)
  })

  const projector = createProjector({ ...world, clock, projections, logger })
  let stopProjector = async () => undefined as void
  let follows = false
  const startProjector = () => {
    const stopping = new AbortController()
    const running = projector.run(stopping.signal)
    follows = true
    stopProjector = async () => {
      follows = false
      stopping.abort()
      await running
    }
  }
  if (projecting) startProjector()
  t.teardown(() => stopProjector())

  const server = (signals: Signals, more: ServerParts = {}) =>
    givenServer(t, { ...world, signals }, () => follows, { logger, ...parts, ...more })
  return {
    ...(await server(world.signals)),
    world,
    logger,
    logged,
    server: (more) => server(signalsOfAnother(t, world), more),
    startProjector,
    stopProjector: () => stopProjector(),
    key: async ({ scopes = SCOPES, workspaceId = world.workspaceId } = {}) => {
      const id = resourceId('key', ids.ulid())
      const { raw, secretHash } = apiKeyFormat.generate(id)
      const command = { workspaceId, label: 'test', scopes: [...scopes], secretHash }
      await handle({ log: world.log, clock }, apiKey, id, causedBy(id), (state) => createApiKey(state, command))
      await projector.catchUp()
      secrets.push(raw, raw.split('_')[2] ?? raw)
      return raw
    },
  }
}

/** What connecting accounts in a browser needs, reached at an address that is none. */
export function authorizationDepsOf(world: World, apps?: OwnApps): AuthorizationDeps {
  const { db, log, clock } = world
  const vault = vaultOf(world)
  return {
    ...{ db, log, clock, ids, vault },
    access: accessOf(world, apps),
    ceilings: createCeilings(db, HIGH_CEILINGS),
    seen: { waitFor: async () => true },
    store: authorizationStore(db, vault),
    seals: authorizationSeals(CURSOR_KEY),
    sandbox: sandboxConsent(world.sandbox.url, world.http),
    publicUrl: 'https://fanfare.test',
    logger: createLogger('silent'),
  }
}

/** As another process of the same service has them. */
function signalsOfAnother(t: Test, { db }: World): Signals {
  const signals = listenForSignals({ connectionString: connectionStringOf(db), channels: CHANNELS, clock: systemClock })
  t.teardown(() => signals.close())
  return signals
}

async function givenServer(t: Test, world: World, follows: () => boolean, parts: ServerParts): Promise<Server> {
  const { services, dashboard, apps, ceilings, ...options } = parts
  const { db, log, clock, signals } = world
  const watched = watchSeen({ db, signals, clock })
  // Views that are followed are waited for: a slow machine must not show an old one.
  const seen: Services['seen'] = {
    ...watched,
    waitFor: (position, timeoutMs) => watched.waitFor(position, follows() ? PATIENCE_MS : timeoutMs),
  }
  const app = buildServer({
    services: {
      db,
      log,
      clock,
      seen,
      cursors: createCursors(CURSOR_KEY),
      ceilings: createCeilings(db, { ...HIGH_CEILINGS, ...ceilings }),
      mediaRoom: endlessRoom,
      previewPost: createPreview({ log, clock, access: accessOf(world) }),
      forecastPosts: givenForecast(world),
      refuseDuplicates: [],
      sandbox: {
        url: world.sandbox.url,
        pageOf: (platform, postId) => sandboxPageUrl(world.sandbox.url, platform, postId),
      },
      costsOf: accessOf(world).costsOf,
      monthCosts: monthCosts({ db, costsOf: accessOf(world).costsOf }),
      prices: createPrices({ db, access: accessOf(world) }),
      whyNotAllowed: accessOf(world).whyNotAllowed,
      webhookSecrets: webhookSecrets(vaultOf(world)),
      refuseAddress: webhookAddressCheck({ policy: outboundPolicy('127.0.0.1'), clock, lookup: anyName }),
      vault: vaultOf(world),
      passwords: createPasswords(db, CHEAP),
      url: () => 'https://fanfare.test',
      sendsMail: true,
      ...CONVERSATIONS,
      videos: VIDEOS,
      uploads: {
        ...UPLOADS,
        ...createUploads({ log, clock, seen, store: world.mediaStore, files: world.partialFiles }),
      },
      erasableKeys: createErasableKeys({ db, vault: vaultOf(world) }),
      destinationsOf: createDestinations({ log, access: accessOf(world), signal: new AbortController().signal }),
      liveNumbers: liveNumbers({
        ...{ log, clock, db, access: accessOf(world), logger: createLogger('silent') },
        signal: new AbortController().signal,
      }),
      ...services,
    },
    ids,
    clock,
    removals: accountRemovals({ db, log, clock, seen, access: accessOf(world, apps) }, CURSOR_KEY),
    url: () => 'https://fanfare.test',
    mediaStore: world.mediaStore,
    http: world.http,
    logger: createLogger('silent'),
    health: NO_CHECKS,
    metrics: { text: undefined },
    authorization: accountAuthorization(authorizationDepsOf(world, apps)),
    vault: vaultOf(world),
    derivationSecret: CURSOR_KEY,
    limits: NO_LIMITS,
    trustProxy: false,
    publicUrl: undefined,
    verificationFiles: new Map(),
    dashboard: {
      directory: '/nowhere',
      mediaOrigins: [],
      perMinute: NO_LIMITS.perMinute,
      totps: createTotps(vaultOf({ db })),
      connection: accountConnection(authorizationDepsOf(world, apps)),
      competitors: competitorTracking({
        ...{ log, clock, db, seen, access: accessOf(world), logger: createLogger('silent') },
        ceilings: createCeilings(db, { ...HIGH_CEILINGS, ...ceilings }),
      }),
      smallImage: createSmallImages({ access: accessOf(world) }),
      singleSignOn: undefined,
      maintenance: [],
      ...dashboard,
    },
    ...options,
  })
  t.teardown(async () => {
    await app.close()
    seen.close()
  })
  await app.ready()

  return {
    app,
    listen: async () => {
      const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
      return Number(address.port)
    },
    call: async ({ method = 'GET', path, key, body, payload, headers = {}, from }) => {
      const sent = payload ?? (body === undefined ? undefined : JSON.stringify(body))
      const answer = await app.inject({
        // Fastify's own type knows fewer methods than HTTP has.
        method: method as 'GET',
        url: path,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(sent === undefined ? {} : { payload: sent }),
        ...(from === undefined ? {} : { remoteAddress: from }),
      })
      return conformance({ method, path }, answer)
    },
  }
}
