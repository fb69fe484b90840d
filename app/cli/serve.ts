import { join } from 'node:path'
import type { SpeechModel } from '../../infra/ai/speech.ts'
import type { TextModel } from '../../infra/ai/text.ts'
import type { VideoModel } from '../../infra/ai/video.ts'
import { sweepIdempotencyKeys } from '../../api/http/idempotency.ts'
import { createCursors } from '../../api/http/pagination.ts'
import { createSessions } from '../../api/dashboard/sessions.ts'
import { sweepRateWindows } from '../../api/http/rate-limit.ts'
import { buildServer } from '../../api/server.ts'
import { webhookSecrets } from '../../infra/postgres/webhook-secrets.ts'
import type { Core } from '../main.ts'
import { mediaUrl } from '../../infra/media/media-url.ts'
import { accountAuthorization } from '../../reactors/accounts/account-authorization.ts'
import { accountConnection } from '../../reactors/accounts/account-connection.ts'
import { lookAlikePosts } from '../../reactors/publishing/look-alike-posts.ts'
import { AUTOMATE_REPLIES, automateReplies } from '../../reactors/conversations/automate-replies.ts'
import { authorizationStore } from '../../reactors/accounts/authorization-store.ts'
import { captureMetricsReactor } from '../../reactors/analytics/capture-metrics.ts'
import { commentChecks } from '../../reactors/conversations/comment-checks.ts'
import { paceOf } from '../../reactors/conversations/comment-pace.ts'
import { competitorReactor } from '../../reactors/analytics/competitor.ts'
import { createPreview } from '../../reactors/publishing/preview.ts'
import { deliverReactor } from '../../reactors/webhooks/deliver.ts'
import { webhookHttp } from '../../reactors/webhooks/deliver/webhook-http.ts'
import { runDispatcher } from '../../reactors/runtime/dispatcher.ts'
import { draftReplyReactor } from '../../reactors/conversations/draft-reply.ts'
import { FAN_OUT, fanOut } from '../../reactors/webhooks/fan-out.ts'
import { feedChecks } from '../../reactors/feeds/feed-checks.ts'
import { feedReactor } from '../../reactors/feeds/feed.ts'
import { createFeedParser } from '../../reactors/feeds/reading/feed-parser.ts'
import { fetchCommentsReactor } from '../../reactors/conversations/fetch-comments.ts'
import { createFollower } from '../../reactors/runtime/follower.ts'
import { localSlots } from '../../reactors/runtime/worker-slots.ts'
import { createLeases } from '../../reactors/runtime/leases.ts'
import { sweepLiveAnswers } from '../../reactors/analytics/live-answers.ts'
import { liveNumbers } from '../../reactors/analytics/live-numbers.ts'
import { metricChecks } from '../../reactors/analytics/metric-checks.ts'
import { natsSlots, type NatsSlots } from '../../reactors/runtime/nats-slots.ts'
import { poolSizes } from '../../reactors/runtime/pools.ts'
import { publishReactor } from '../../reactors/publishing/publish.ts'
import { recycleReactor } from '../../reactors/publishing/recycle.ts'
import { refundReactor } from '../../reactors/videos/refund.ts'
import { renderVideoReactor } from '../../reactors/videos/render-video.ts'
import { searchWhileHeld } from '../../reactors/restored/search.ts'
import { scheduleReactor } from '../../reactors/publishing/schedule.ts'
import { sendReplyReactor } from '../../reactors/conversations/send-reply.ts'
import { webhookAddressCheck } from '../../reactors/webhooks/webhook-address.ts'
import { withheldApps } from '../../reactors/platform-calls/withheld-apps.ts'
import { work } from '../../reactors/runtime/work.ts'
import { atMost } from '../../infra/runtime/clock.ts'
import type { Role } from '../../infra/runtime/settings.ts'
import { packageRoot } from '../../infra/runtime/package-root.ts'
import type { Metrics } from '../telemetry/prometheus.ts'
import { authorizationDeps } from './authorization.ts'
import { healthChecks } from './health-checks.ts'
import { listenForScrapes, shownHere, watchState } from './metrics.ts'
import { textModelOf } from './text-model.ts'
import { speechModelOf, videoModelOf } from './video-models.ts'

export interface Service {
  /** The URL of the API, if that role runs here. */
  readonly url: string | undefined
  /** Stops taking new work, and finishes or releases running work, all within 25 s. */
  stop(): Promise<void>
}

/** A dead worker is detected when its lease expires after this time (ms); another one then settles what it had started. */
const LEASE_MS = 30_000
/** How long (ms) running work may take to finish at a stop before it is aborted and released. */
const STOP_PATIENCE_MS = 20_000
/** Below the request timeout (api-spec §8), so that the request is answered with what there is. */
const REPLY_PATIENCE_MS = 20_000
const SWEEP_EVERY_MS = 3_600_000

/** Runs roles of the service in this process until it is stopped. */
export async function startService(core: Core, roles: readonly Role[], metrics?: Metrics): Promise<Service> {
  const { clock, logger, projector } = core
  // First, because the models' packages may not be installed.
  const models = roles.includes('reactors') ? modelsOf(core) : undefined
  // Fails early if no key decrypts it: nothing else would work either.
  const secret = await core.derivationSecret()
  const stopping = new AbortController()
  const running: Promise<void>[] = [sweep(core, secret, stopping.signal)]
  const nats: NatsSlots[] = []
  const finish: (() => Promise<void>)[] = []

  if (roles.includes('reactors')) await warnOfWithheldApps(core)
  if (roles.includes('projections')) running.push(projector.run(stopping.signal))
  if (models) {
    const reactors = await startReactors(core, models, secret, stopping.signal)
    running.push(reactors.dispatching, reactors.following, reactors.searching)
    finish.push(reactors.finish)
    if (reactors.nats) nats.push(reactors.nats)
  }
  if (metrics) watchState(metrics, core, { roles, nats: nats[0] })
  const app = roles.includes('api')
    ? await startApi(core, { nats, metrics, secret, signal: stopping.signal })
    : undefined
  const listener = metrics && (await listenForScrapes(core, metrics))

  return {
    url: app?.url,
    stop: async () => {
      await app?.close()
      await listener?.close()
      stopping.abort()
      await atMost(clock, STOP_PATIENCE_MS + 2_000, Promise.all(finish.map((end) => end())))
      await atMost(clock, 2_000, Promise.all(running))
      logger.info({}, 'stopped')
    },
  }
}

async function warnOfWithheldApps(core: Core): Promise<void> {
  for (const account of await withheldApps(core)) {
    core.logger.warn(account, "an account holds the operator's app for another host, and is not used")
  }
}

async function startApi(
  core: Core,
  given: {
    readonly nats: readonly NatsSlots[]
    readonly metrics: Metrics | undefined
    readonly secret: Buffer
    readonly signal: AbortSignal
  },
): Promise<{ url: string; close(): Promise<void> }> {
  const { settings, clock, ids, logger, db, log, seen, vault } = core
  const app = buildServer({
    services: {
      ...{
        db,
        log,
        clock,
        seen,
        ceilings: core.ceilings,
        mediaRoom: core.mediaRoom,
        cursors: createCursors(given.secret),
      },
      previewPost: createPreview(core),
      webhookSecrets: webhookSecrets(vault),
      refuseAddress: webhookAddressCheck(core),
      replyPatienceMs: REPLY_PATIENCE_MS,
      replyRulesOf: (platform) => core.access.platform(platform).conversation,
      videos: {
        prices: { perScene: settings.VIDEO_CREDITS_PER_SCENE, voiceover: settings.VIDEO_CREDITS_VOICEOVER },
        generates: { video: settings.video.provider !== 'none', speech: settings.speech.provider !== 'none' },
        // The voices of other providers are not known in advance.
        voices: settings.speech.provider === 'sandbox' ? speechModelOf(core)?.voices : undefined,
        urlOf: (file) => mediaUrl(core.reachedAt.url, file),
      },
      liveNumbers: liveNumbers({ ...core, signal: given.signal }),
    },
    ids,
    clock,
    logger,
    health: healthChecks(core, given.nats),
    metrics: { text: shownHere(settings) ? given.metrics?.text : undefined, token: settings.METRICS_TOKEN },
    watch: core.telemetry.requests,
    limits: {
      perMinute: settings.RATE_LIMIT_PER_MINUTE,
      perDay: settings.RATE_LIMIT_PER_DAY,
      workspaceFactor: settings.RATE_LIMIT_WORKSPACE_FACTOR,
    },
    trustProxy: settings.TRUST_PROXY === 'on',
    authorization: accountAuthorization(authorizationDeps(core, given.secret)),
    mediaStore: core.mediaStore,
    vault,
    derivationSecret: given.secret,
    publicUrl: settings.PUBLIC_URL,
    dashboard: {
      directory: join(packageRoot(), 'dist', 'dashboard'),
      mediaOrigins: settings.SANDBOX === 'on' ? [`http://127.0.0.1:${settings.SANDBOX_PORT}`] : [],
      perMinute: settings.DASHBOARD_RATE_LIMIT_PER_MINUTE,
      passwords: core.passwords,
      connection: accountConnection(authorizationDeps(core, given.secret)),
    },
  })
  const address = await app.listen({ port: settings.PORT, host: settings.HOST })
  if (settings.PORT === 0 && settings.PUBLIC_URL === undefined) core.reachedAt.url = address
  return { url: settings.PUBLIC_URL ?? address, close: () => app.close() }
}

/** The configured models; `undefined` where there is none. */
interface Models {
  readonly textModel: TextModel | undefined
  readonly videoModel: VideoModel | undefined
  readonly speechModel: SpeechModel | undefined
}

function modelsOf(core: Core): Models {
  return { textModel: textModelOf(core), videoModel: videoModelOf(core), speechModel: speechModelOf(core) }
}

async function startReactors(core: Core, { textModel, ...generators }: Models, secret: Buffer, stopping: AbortSignal) {
  const { settings, clock, logger, db, log, seen, signals, access, vault, telemetry } = core
  const parser = createFeedParser({ clock })
  const cutOff = new AbortController()
  const leases = telemetry.leases(createLeases(db, { owner: settings.NODE_NAME, leaseMs: LEASE_MS }))
  await leases.releaseOwn()
  const sizes = poolSizes(settings.WORKER_CONCURRENCY)
  const receivers = webhookHttp(core, sizes)
  const deliver = deliverReactor({
    ...{ log, clock, http: telemetry.http(receivers, 'webhook'), secrets: webhookSecrets(vault) },
    delaysMs: settings.WEBHOOK_RETRY_DELAYS,
    headerPrefix: settings.WEBHOOK_HEADER_PREFIX,
  })
  const policy = { delaysMs: settings.RETRY_DELAYS }
  const pace = { leastMs: settings.COMMENT_INTERVAL_LEAST, mostMs: settings.COMMENT_INTERVAL_MOST }
  const alike = lookAlikePosts({ db, log, seen, clock })
  const reactors = telemetry.reactors({
    publish: publishReactor({
      ...{ log, clock, access, logger, policy, alike },
      onPublished: telemetry.published,
    }),
    schedule: scheduleReactor({ log, clock, graceMs: settings.SCHEDULE_GRACE }),
    feed: feedReactor({ log, clock, db, http: telemetry.http(core.http, 'feed'), parser, checks: feedChecks(db) }),
    recycle: recycleReactor({ log, clock, textModel }),
    comments: fetchCommentsReactor({
      ...{ log, clock, db, access, logger },
      checks: commentChecks(db),
      paceOf: paceOf(pace, settings.SANDBOX !== 'off' ? `http://127.0.0.1:${settings.SANDBOX_PORT}` : undefined),
    }),
    metrics: captureMetricsReactor({
      ...{ log, clock, db, access, logger, checks: metricChecks(db) },
      platforms: settings.METRICS_PLATFORMS,
    }),
    competitor: competitorReactor({ log, clock, db, access, logger }),
    draft: draftReplyReactor({
      ...{ log, clock, db, seen, textModel, policy },
      automaticPerHour: settings.AUTO_REPLIES_PER_HOUR,
    }),
    send: sendReplyReactor({ log, clock, access, logger, policy }),
    video: renderVideoReactor({
      ...{ log, clock, policy, ...generators, media: core.media, store: core.mediaStore, room: core.mediaRoom },
      ...{ secret, jobTimeoutMs: settings.VIDEO_TIMEOUT },
    }),
    refund: refundReactor({ log, clock }),
    deliver,
    redeliver: deliver,
  })
  const deps = { leases, reactors, clock, logger, leaseMs: LEASE_MS }
  const local = localSlots(sizes, (row, hand) => work(deps, row, cutOff.signal, hand))
  const nats = settings.NATS_URL
    ? await natsSlots({ url: settings.NATS_URL, local, leases, clock, logger, sizes, signal: stopping })
    : undefined
  const slots = nats ?? local
  const followers = [
    createFollower(FAN_OUT, fanOut(core), { ...core, log: telemetry.reading(log, FAN_OUT.name) }),
    createFollower(AUTOMATE_REPLIES, automateReplies(core), {
      ...core,
      log: telemetry.reading(log, AUTOMATE_REPLIES.name),
    }),
  ]
  const dispatching = runDispatcher({ leases, slots, clock, logger, signals }, stopping)
  return {
    nats,
    following: Promise.all(followers.map((follower) => follower.run(stopping))).then(() => undefined),
    dispatching,
    searching: searchWhileHeld({ db, log, clock, access, logger, alike, seen }, stopping),
    finish: async () => {
      // Work that was just leased is handed out first.
      await atMost(clock, 2_000, dispatching)
      await atMost(clock, STOP_PATIENCE_MS, slots.idle())
      cutOff.abort()
      await slots.idle()
      await parser.close()
      await receivers.close()
      await nats?.close()
    },
  }
}

/** Deletes expired data. */
async function sweep(core: Core, secret: Buffer, signal: AbortSignal): Promise<void> {
  const { db, media, mediaStore, vault, clock, logger } = core
  while (!signal.aborted) {
    try {
      await media.sweep(SWEEP_EVERY_MS)
      await sweepIdempotencyKeys(db, clock.now())
      await sweepRateWindows(db, clock.now())
      await createSessions(db, clock, secret).sweep()
      await sweepLiveAnswers(db, clock.now())
      await authorizationStore(db, vault).sweep(clock.now())
      await mediaStore.sweep(SWEEP_EVERY_MS)
    } catch (error) {
      logger.warn({ err: error }, 'what is no longer needed could not be swept; trying again in an hour')
    }
    await clock.sleep(SWEEP_EVERY_MS, signal)
  }
}
