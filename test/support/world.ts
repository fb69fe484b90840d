import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import type { Test } from 'tap'
import { account } from '../../domain/account/account.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { ANALYTICS_PLATFORMS } from '../../domain/analytics/metrics.ts'
import type { PlatformKey } from '../../domain/core/platform.ts'
import type { UploadType } from '../../domain/core/upload.ts'
import { post } from '../../domain/post/post.ts'
import { sandboxText } from '../../infra/ai/sandbox-text.ts'
import { sandboxSpeech } from '../../infra/ai/sandbox-speech.ts'
import { sandboxVideo } from '../../infra/ai/sandbox-video.ts'
import type { SpeechModel } from '../../infra/ai/speech.ts'
import type { TextModel } from '../../infra/ai/text.ts'
import type { VideoModel } from '../../infra/ai/video.ts'
import { connectAccount } from '../../commands/connect-account.ts'
import { handle, type Cause } from '../../commands/handle.ts'
import type { MediaRoom } from '../../commands/media-room.ts'
import { queuePost, type QueuePost } from '../../commands/queue-post.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Signals } from '../../infra/postgres/signal.ts'
import { createVault, type Vault } from '../../infra/postgres/vault.ts'
import { webhookSecrets } from '../../infra/postgres/webhook-secrets.ts'
import type { EventLog } from '../../event-log/event-log.ts'
import { postgresLog } from '../../event-log/postgres/log.ts'
import { fileStore } from '../../infra/media/file-store.ts'
import { convertedMedia, type ConvertedMedia } from '../../infra/media/converted-media.ts'
import { findFfmpeg } from '../../infra/media/ffmpeg.ts'
import { createImageConverter } from '../../infra/media/image-converter.ts'
import { createVideoConverter } from '../../infra/media/video-converter.ts'
import { uploadName } from '../../infra/media/media-name.ts'
import { ownMedia, type FindOwnMedia } from '../../infra/media/own-media.ts'
import { partialFiles, type PartialFiles } from '../../infra/media/partial-files.ts'
import type { MediaStore } from '../../infra/media/store.ts'
import type { Http } from '../../infra/http/http.ts'
import { mediaSource } from '../../platforms/kit/media-spool.ts'
import { costsOf } from '../../platforms/kit/costs.ts'
import { monthCosts } from '../../reactors/accounts/month-costs.ts'
import { createPauses } from '../../reactors/platform-calls/pauses.ts'
import { ownApps } from '../../platforms/kit/own-apps.ts'
import type { Core } from '../../app/wiring/core.ts'
import type { Platform } from '../../platforms/kit/platform.ts'
import { platforms as registered } from '../../platforms/registry.ts'
import { projections } from '../../projections/models/index.ts'
import { createProjector } from '../../projections/engine/projector.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import { deliverReactor } from '../../reactors/webhooks/deliver.ts'
import { dispatchDue } from '../../reactors/runtime/dispatcher.ts'
import { NOTIFY, notify } from '../../reactors/notifications/notify.ts'
import { sendNotificationReactor } from '../../reactors/notifications/send-notification.ts'
import type { Mailer } from '../../infra/mail/mailer.ts'
import { vapidKeys } from '../../infra/runtime/vapid.ts'
import { FAN_OUT, fanOut } from '../../reactors/webhooks/fan-out.ts'
import { feedChecks } from '../../reactors/feeds/feed-checks.ts'
import { feedReactor } from '../../reactors/feeds/feed.ts'
import { createFeedParser, type FeedParser } from '../../reactors/feeds/reading/feed-parser.ts'
import { createFollower } from '../../reactors/runtime/follower.ts'
import { localSlots } from '../../reactors/runtime/worker-slots.ts'
import { poolSizes } from '../../reactors/runtime/pools.ts'
import { paceOf, type Pace } from '../../reactors/conversations/comment-pace.ts'
import { createLeases } from '../../reactors/runtime/leases.ts'
import { captureMetricsReactor } from '../../reactors/analytics/capture-metrics.ts'
import { competitorReactor } from '../../reactors/analytics/competitor.ts'
import { metricChecks } from '../../reactors/analytics/metric-checks.ts'
import { commentChecks } from '../../reactors/conversations/comment-checks.ts'
import { draftReplyReactor } from '../../reactors/conversations/draft-reply.ts'
import { fetchCommentsReactor } from '../../reactors/conversations/fetch-comments.ts'
import { AUTOMATE_REPLIES, automateReplies } from '../../reactors/conversations/automate-replies.ts'
import { park } from '../../reactors/runtime/reactor.ts'
import { sendReplyReactor } from '../../reactors/conversations/send-reply.ts'
import { RETENTION } from '../../platforms/retention.ts'
import { platformAccess, type PlatformAccess } from '../../reactors/platform-calls/platform-access.ts'
import { publicMedia } from '../../reactors/platform-calls/public-media.ts'
import { lookAlikePosts, type LookAlikePosts } from '../../reactors/publishing/look-alike-posts.ts'
import { publishReactor } from '../../reactors/publishing/publish.ts'
import { recycleReactor } from '../../reactors/publishing/recycle.ts'
import { searchOnce } from '../../reactors/restored/search.ts'
import { findUpload } from '../../reactors/media/find-upload.ts'
import { mediaReactor } from '../../reactors/media/media.ts'
import { pinMediaReactor } from '../../reactors/media/pin-media.ts'
import { createRelay } from '../../reactors/media/relay-media.ts'
import { endAccess } from '../../reactors/accounts/end-access.ts'
import { ownerOf } from '../../reactors/accounts/owner-of.ts'
import { eraseReactor } from '../../reactors/privacy/erase.ts'
import { workspaceEraser } from '../../reactors/privacy/erase-workspace.ts'
import { removeReactor, type RemoveDeps } from '../../reactors/privacy/remove.ts'
import { expiryReactor } from '../../reactors/accounts/expiry.ts'
import { retainReactor } from '../../reactors/privacy/retain.ts'
import { closeBooksReactor } from '../../reactors/videos/close-books.ts'
import { refundReactor } from '../../reactors/videos/refund.ts'
import { renderVideoReactor } from '../../reactors/videos/render-video.ts'
import { scheduleReactor } from '../../reactors/publishing/schedule.ts'
import { work } from '../../reactors/runtime/work.ts'
import type { Sandbox } from '../../packages/sandbox/index.ts'
import type { StandIn } from '../../packages/sandbox/stand-in.ts'
import { systemClock, type Clock } from '../../infra/runtime/clock.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import type { MaintenanceWindow } from '../../infra/runtime/maintenance-settings.ts'
import { createErasableKeys } from '../../event-log/postgres/erasable-keys.ts'
import { createEventKeys } from '../../event-log/postgres/event-keys.ts'
import { createCodec } from '../../event-log/codec.ts'
import { fixedKeyRing } from '../../infra/runtime/key-ring.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { endlessRoom } from './media-room.ts'
import { testDatabase, withReadModels } from './postgres.ts'
import { givenAccount, givenHttp, givenSandbox, ids, type SandboxAccount } from './sandbox.ts'
import { virtualClock, type VirtualClock } from './virtual-clock.ts'

type Platforms = Readonly<Record<PlatformKey, Platform>>

/** What outlives a process: the database, the platforms, the clock on the wall. */
export interface World {
  readonly db: pg.Pool
  readonly signals: Signals
  readonly log: EventLog
  readonly sandbox: Sandbox
  readonly http: Http
  readonly clock: VirtualClock
  readonly workspaceId: string
  readonly platforms: Platforms
  readonly mediaDirectory: string
  readonly mediaStore: MediaStore
  /** Where platforms can fetch the media of the service. Undefined: nowhere. */
  readonly publicUrl: string | undefined
  /** Undefined: images are not converted. */
  readonly converted: ConvertedMedia | undefined
  readonly partialFiles: PartialFiles
  readonly parser: FeedParser
  /** An account of the workspace on the sandbox's platform; returns its id. */
  account(platform: PlatformKey, workspaceId?: string): Promise<string>
  /** One that is somewhere. */
  connect(
    platform: PlatformKey,
    at: Pick<SandboxAccount, 'credentials' | 'baseUrl'>,
    workspaceId?: string,
  ): Promise<string>
}

/** One process of the service: what dies with it. Each outside part can be replaced by one that fails. */
export interface Process {
  queue(command: Partial<QueuePost> & Pick<QueuePost, 'selections'>): Promise<string>
  /** Works until nothing is owed any more but what comes round again and again, letting the time pass as needed. */
  drain(): Promise<void>
  /** Everything that is due now, once. */
  step(): Promise<number>
  /** Looks once for what a restored log may have forgotten. */
  search(): Promise<void>
  /** What the command line works with. */
  readonly core: Pick<Core, 'log' | 'clock' | 'logger' | 'seen' | 'access'> & { readonly db: Database }
}

const OWN_URL = 'https://fanfare.test'
const LEASE_MS = 30_000
/** What is owed later than this is left to be owed when a service is drained. */
const FAR_MS = 365 * 86_400_000
const JOB_TIMEOUT_MS = 30 * 60_000
export const GRACE_MS = 12 * 3_600_000
/** Of webhooks: 1m, 5m, 30m, 2h, 6h, 24h (api-spec §8). */
export const LADDER_MS = [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 86_400_000]
export const ENCRYPTION_KEY = Buffer.alloc(32, 7)
/** From which names and tokens are derived that nobody can guess. */
export const DERIVATION_SECRET = Buffer.alloc(32, 9)
export const RING = fixedKeyRing([ENCRYPTION_KEY])
const logger = createLogger('silent')

export function causedBy(name: string): Cause {
  return { commandId: derivedId('test', name), actor: { kind: 'api-key', id: 'key_test' }, correlationId: name }
}

export async function givenWorld(
  t: Test,
  options: {
    readonly clock?: VirtualClock
    /** Connectors and stand-ins instead of the usual ones. */
    readonly platforms?: Partial<Platforms>
    readonly standIns?: readonly StandIn[]
    /** Where platforms can fetch the media of the service. Absent: nowhere. */
    readonly publicUrl?: string
    /** Whether media are converted. Default: no. */
    readonly convertsImages?: boolean
  } = {},
): Promise<World> {
  const { clock = virtualClock(), standIns = [] } = options
  const platforms: Platforms = { ...registered, ...options.platforms }
  const { db, signals } = await testDatabase(t, withReadModels)
  const sandbox = await givenSandbox(t, { clock, standIns })
  const http = givenHttp(t)
  const log = logOf({ db, signals, clock })
  const mediaDirectory = await mkdtemp(join(tmpdir(), 'fanfare-media-'))
  const mediaStore = fileStore({ directory: join(mediaDirectory, 'kept'), clock })
  const parser = createFeedParser({ clock: systemClock })
  const converter = createImageConverter({ clock: systemClock })
  const ffmpeg = findFfmpeg(undefined, process.env['PATH'] ?? '')
  const videos = ffmpeg === undefined ? undefined : createVideoConverter({ ffmpeg, clock: systemClock })
  const converted = convertedMedia({ directory: join(mediaDirectory, 'converted'), images: converter, videos, clock })
  t.teardown(async () => {
    converter.close()
    videos?.close()
    await log.close()
    await parser.close()
    await rm(mediaDirectory, { recursive: true, force: true })
  })
  const ownWorkspaceId = resourceId('ws', ids.ulid())
  const connect: World['connect'] = async (platform, { credentials, baseUrl }, workspaceId = ownWorkspaceId) => {
    const id = resourceId('acc', ids.ulid())
    const connected = await platforms[platform].connect(credentials, baseUrl, {
      http,
      media: mediaSource({ http, clock, directory: mediaDirectory }),
      clock,
      signal: AbortSignal.timeout(60_000),
    })
    await vaultOf({ db }).put(workspaceId, id, connected.credentials)
    const { externalId, label, ownerId } = connected
    const command = { workspaceId, platform, externalId, label, baseUrl }
    await handle({ log, clock }, account, id, causedBy(id), (state) => connectAccount(state, command, { ownerId }))
    return id
  }
  return {
    db,
    signals,
    log,
    sandbox,
    http,
    clock,
    workspaceId: ownWorkspaceId,
    platforms,
    mediaDirectory,
    mediaStore,
    publicUrl: options.publicUrl,
    converted: options.convertsImages ? converted : undefined,
    partialFiles: partialFiles({ directory: join(mediaDirectory, 'uploads'), clock, minFreeBytes: 0 }),
    parser,
    account: async (platform, workspaceId = ownWorkspaceId) => {
      const made = await givenAccount(http, sandbox, platform)
      return connect(platform, made, workspaceId)
    },
    connect,
  }
}

/** When something is due next (ms) that is not owed again each time it is done. */
async function nextOnce(db: Database): Promise<number | undefined> {
  const { rows } = await db.query<{ next: string | null }>(
    `select min(coalesce(lease_until, due_at)) as next from read.agenda
     where kind not in ('feed', 'comments', 'metrics', 'competitor', 'books', 'retain', 'expiry') and (kind <> 'recycle' or part = 'post')
       and (kind <> 'media' or part = 'deleted')`,
  )
  return rows[0]?.next ? Date.parse(rows[0].next) : undefined
}

export function vaultOf({ db }: { readonly db: Database }): Vault {
  return createVault(db, RING)
}

/** The log as one process opens it. */
export function logOf(
  { db, signals, clock }: { readonly db: Database; readonly signals: Signals; readonly clock: Clock },
  options: { readonly cacheMs?: number } = {},
): EventLog {
  const keys = createEventKeys({ db, vault: vaultOf({ db }), now: clock.now }, options)
  return postgresLog({ db, signals, clock, codec: createCodec({ keys }) })
}

/** What the service has itself. */
function ownFiles({ log, mediaStore, publicUrl }: Pick<World, 'log' | 'mediaStore' | 'publicUrl'>): FindOwnMedia {
  return ownMedia(mediaStore, () => publicUrl ?? OWN_URL, findUpload({ log, store: mediaStore }))
}

/** The platforms as one process of the service sees them. */
export function accessOf(
  {
    platforms,
    db,
    log,
    http,
    clock,
    mediaDirectory,
    mediaStore,
    publicUrl,
    converted,
    sandbox,
  }: Omit<World, 'db'> & { readonly db: Database },
  apps = ownApps(new Map(), []),
  budgets: ReadonlyMap<string, number> = new Map(),
  maintenance: readonly MaintenanceWindow[] = [],
): PlatformAccess {
  const own = ownFiles({ log, mediaStore, publicUrl })
  const media = mediaSource({ http, clock, directory: mediaDirectory, own, converted })
  const costs = costsOf(platforms, new Map(), sandbox.url)
  const pauses = createPauses({
    ...{ maintenance, budgets, costsOf: costs, clock },
    monthCosts: monthCosts({ db, costsOf: costs }),
  })
  const access = {
    platforms,
    costsOf: costs,
    pauses,
    apps,
    vault: vaultOf({ db }),
    http,
    media,
    publicMedia: publicMedia({ log, url: () => publicUrl ?? OWN_URL, isPublic: publicUrl !== undefined }),
    clock,
  }
  return platformAccess(access)
}

export async function givenProcess(
  world: World,
  parts: {
    readonly log?: EventLog
    readonly http?: Http
    readonly db?: Database
    readonly clock?: Clock
    readonly slots?: number
    readonly delaysMs?: readonly number[]
    /** Undefined: no AI provider is set up. */
    readonly textModel?: TextModel | undefined
    /** The sandbox's by default. */
    readonly videoModel?: VideoModel
    readonly speechModel?: SpeechModel
    readonly room?: MediaRoom
    /** Looks for comments between these bounds. Absent: not at all. */
    readonly pace?: Pace
    /** Looks at the sandbox's accounts as often as a service does whose sandbox it is. */
    readonly sandboxUrl?: string
    readonly automaticPerHour?: number
    /** Whether the numbers of posts are captured, or of which platforms. Default: they are not. */
    readonly metrics?: boolean | readonly string[]
    /** What tells whether the read models hold what the log holds. By default they are brought to it. */
    readonly seen?: Pick<Seen, 'waitFor'>
    /** What is known of posts that say the same, instead of what is. */
    readonly alike?: Partial<LookAlikePosts>
    /** US dollars a month, by platform. */
    readonly budgets?: ReadonlyMap<string, number>
    readonly maintenance?: readonly MaintenanceWindow[]
    /** Whether media of scheduled posts are copied. Default: they are not. */
    readonly pins?: boolean
    /** Whether competitors are looked at. Default: they are not. */
    readonly competitors?: boolean
    /** Undefined: there is no server for e-mail. */
    readonly mailer?: Mailer
  } = {},
): Promise<Process> {
  const { clock } = world
  const { log = world.log, http = world.http, db = world.db, delaysMs = [1_000, 10_000, 60_000, 600_000] } = parts
  const access = accessOf({ ...world, db, http }, undefined, parts.budgets, parts.maintenance)
  const projector = createProjector({ db, log, signals: world.signals, projections, clock, logger })
  const leases = createLeases(db, { owner: 'test', leaseMs: LEASE_MS })
  /** One after the other: of two at once, one would wait for a clock that nobody moves. */
  let catchingUp = Promise.resolve()
  const catchUp = () => (catchingUp = catchingUp.catch(() => undefined).then(() => projector.catchUp()))
  const { seen = { waitFor: () => catchUp().then(() => true) } } = parts
  const alike = { ...lookAlikePosts({ db, log, seen, clock }), ...parts.alike }
  const fileOf = (id: string, type: UploadType) => uploadName(ENCRYPTION_KEY, id, type)
  const media = mediaSource({ http, clock, directory: world.mediaDirectory, own: ownFiles(world) })
  const pin = pinMediaReactor({
    ...{ log, clock, seen, isOn: parts.pins ?? false, maxBytes: 1_000_000_000 },
    ...{ media, store: world.mediaStore, room: parts.room ?? endlessRoom },
    ...{ serviceUrl: () => world.publicUrl ?? OWN_URL, fileOf },
  })
  const publish = publishReactor({
    ...{ log, clock, access, logger, policy: { delaysMs }, alike },
    relay: createRelay({ log, clock, store: world.mediaStore, fileOf }),
  })
  const schedule = scheduleReactor({ log, clock, graceMs: GRACE_MS })
  const feed = feedReactor({ log, clock, db, http, parser: world.parser, checks: feedChecks(db) })
  const textModel = 'textModel' in parts ? parts.textModel : sandboxText({ http, url: world.sandbox.url })
  const recycle = recycleReactor({ log, clock, textModel })
  const { pace } = parts
  const policy = { delaysMs }
  const comments = pace
    ? fetchCommentsReactor({
        ...{ log, clock, db, access, logger },
        checks: commentChecks(db),
        paceOf: paceOf(pace, parts.sandboxUrl),
      })
    : async () => park(clock.now() + FAR_MS)
  const metrics = parts.metrics
    ? captureMetricsReactor({
        ...{ log, clock, db, access, logger, checks: metricChecks(db) },
        platforms: Array.isArray(parts.metrics) ? parts.metrics : ANALYTICS_PLATFORMS,
      })
    : async () => park(clock.now() + FAR_MS)
  const competitor = parts.competitors
    ? competitorReactor({ log, clock, db, access, logger })
    : async () => park(clock.now() + FAR_MS)
  const automaticPerHour = parts.automaticPerHour ?? 30
  const draft = draftReplyReactor({ log, clock, db, seen, textModel, policy, automaticPerHour })
  const send = sendReplyReactor({ log, clock, access, logger, policy })
  const { url } = world.sandbox
  const { videoModel = sandboxVideo({ http, url }), speechModel = sandboxSpeech({ http, url }) } = parts
  const video = renderVideoReactor({
    ...{ log, clock, policy, videoModel, speechModel },
    room: parts.room ?? endlessRoom,
    ...{ store: world.mediaStore, secret: ENCRYPTION_KEY, jobTimeoutMs: JOB_TIMEOUT_MS },
    media,
  })
  const refund = refundReactor({ log, clock })
  const books = closeBooksReactor({ log, clock })
  const keys = createErasableKeys({ db, vault: vaultOf({ db }) })
  const retaining: RemoveDeps = {
    ...{ log, clock, db, keys },
    endAccess: (given, isLast, signal) => endAccess({ db, access, vault: vaultOf({ db }) }, given, { isLast, signal }),
  }
  const eraseWorkspace = workspaceEraser({ ...retaining, db, vault: vaultOf({ db }) })
  const erase = eraseReactor({ log, clock, keys, eraseWorkspace })
  const retain = retainReactor({
    ...{ ...retaining, retention: RETENTION },
    ownerOf: (given, signal) => ownerOf(access, given, signal),
  })
  const remove = removeReactor(retaining)
  const secrets = webhookSecrets(vaultOf({ db }))
  const deliver = deliverReactor({ log, clock, http, secrets, delaysMs: LADDER_MS, headerPrefix: 'X-Service' })
  const stopping = new AbortController()
  const slots = localSlots(poolSizes(parts.slots ?? 8), (row, hand) =>
    work(
      {
        leases,
        reactors: {
          publish,
          schedule,
          pin,
          feed,
          recycle,
          comments,
          metrics,
          competitor,
          draft,
          send,
          video,
          refund,
          books,
          erase,
          retain,
          expiry: expiryReactor({ log, clock, vault: vaultOf({ db }), access }),
          remove,
          media: mediaReactor({ log, clock, store: world.mediaStore, files: world.partialFiles }),
          deliver,
          redeliver: deliver,
          notify: sendNotificationReactor({
            ...{ log, clock, db, http, logger, vault: vaultOf({ db }), secret: DERIVATION_SECRET, policy },
            ...{ mailer: parts.mailer, url: () => 'https://fanfare.test' },
            vapid: { ...vapidKeys(DERIVATION_SECRET), subject: 'mailto:fanfare@fanfare.test' },
          }),
        },
        clock,
        logger,
        leaseMs: LEASE_MS,
      },
      row,
      stopping.signal,
      hand,
    ),
  )
  await leases.releaseOwn()
  const following = { ...world, db, log, logger }
  const followers = [
    createFollower(FAN_OUT, () => fanOut({ db, log, clock, seen }), following),
    createFollower(NOTIFY, () => notify({ db, log, clock, seen }), following),
    createFollower(AUTOMATE_REPLIES, () => automateReplies({ db, log, clock }), following),
  ]

  const follow = async () => {
    for (const follower of followers) await follower.catchUp()
    await catchUp()
  }
  const workOnce = async () => {
    const given = await dispatchDue({ leases, slots, clock })
    await slots.idle()
    await catchUp()
    return given
  }

  return {
    queue: async (command) => {
      const id = resourceId('post', ids.ulid())
      const whole: QueuePost = {
        workspaceId: world.workspaceId,
        origin: 'api',
        mediaUrl: `${world.sandbox.url}/media/sample.jpg`,
        mediaType: 'image',
        caption: 'A caption',
        captionOverrides: {},
        hashtags: [],
        ...command,
      }
      await handle({ log, clock }, post, id, causedBy(id), (state) => queuePost(state, whole), { expectNew: true })
      return id
    },
    step: async () => {
      await follow()
      return workOnce()
    },
    core: { db, log, clock, logger, access, seen: { ...seen, close: () => undefined } },
    search: async () => {
      await catchUp()
      await searchOnce({ db, log, clock, access, logger, alike, seen, atOnce: 1 }, stopping.signal)
      await catchUp()
    },
    drain: async () => {
      await catchUp()
      for (let rounds = 0; rounds < 10_000; rounds += 1) {
        if ((await workOnce()) > 0) continue
        // What follows the log is asked once all is done, as it costs as much as the work.
        await follow()
        const next = await nextOnce(db)
        if (next === undefined || next > clock.now() + FAR_MS) return
        await clock.advanceTo(next)
      }
      throw new Error('the agenda is never empty')
    },
  }
}
