import type { SpeechModel } from '../../infra/ai/speech.ts'
import type { TextModel } from '../../infra/ai/text.ts'
import type { VideoModel } from '../../infra/ai/video.ts'
import type { UploadType } from '../../domain/core/upload.ts'
import { uploadName } from '../../infra/media/media-name.ts'
import { vapidKeys, vapidSubject } from '../../infra/runtime/vapid.ts'
import { createMailer } from '../../infra/mail/mailer.ts'
import { webhookSecrets } from '../../infra/postgres/webhook-secrets.ts'
import type { Core } from './core.ts'
import { sandboxUrlOf } from './platform-settings.ts'
import { lookAlikePosts } from '../../reactors/publishing/look-alike-posts.ts'
import { AUTOMATE_REPLIES, automateReplies } from '../../reactors/conversations/automate-replies.ts'
import { captureMetricsReactor } from '../../reactors/analytics/capture-metrics.ts'
import { commentChecks } from '../../reactors/conversations/comment-checks.ts'
import { paceOf } from '../../reactors/conversations/comment-pace.ts'
import { competitorReactor } from '../../reactors/analytics/competitor.ts'
import { endAccess } from '../../reactors/accounts/end-access.ts'
import { expiryReactor } from '../../reactors/accounts/expiry.ts'
import { ownerOf } from '../../reactors/accounts/owner-of.ts'
import { eraseReactor } from '../../reactors/privacy/erase.ts'
import { workspaceEraser } from '../../reactors/privacy/erase-workspace.ts'
import { removeReactor, type RemoveDeps } from '../../reactors/privacy/remove.ts'
import { retainReactor } from '../../reactors/privacy/retain.ts'
import { deliverReactor } from '../../reactors/webhooks/deliver.ts'
import { webhookHttp } from '../../reactors/webhooks/deliver/webhook-http.ts'
import { NOTIFY, notify } from '../../reactors/notifications/notify.ts'
import { sendNotificationReactor } from '../../reactors/notifications/send-notification.ts'
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
import { mediaReactor } from '../../reactors/media/media.ts'
import { pinMediaReactor } from '../../reactors/media/pin-media.ts'
import { createRelay } from '../../reactors/media/relay-media.ts'
import { metricChecks } from '../../reactors/analytics/metric-checks.ts'
import { natsSlots } from '../../reactors/runtime/nats-slots.ts'
import { poolSizes } from '../../reactors/runtime/pools.ts'
import { publishReactor } from '../../reactors/publishing/publish.ts'
import { recycleReactor } from '../../reactors/publishing/recycle.ts'
import { closeBooksReactor } from '../../reactors/videos/close-books.ts'
import { refundReactor } from '../../reactors/videos/refund.ts'
import { renderVideoReactor } from '../../reactors/videos/render-video.ts'
import { searchWhileHeld } from '../../reactors/restored/search.ts'
import { scheduleReactor } from '../../reactors/publishing/schedule.ts'
import { sendReplyReactor } from '../../reactors/conversations/send-reply.ts'
import { work } from '../../reactors/runtime/work.ts'
import { atMost } from '../../infra/runtime/clock.ts'
import { RETENTION } from '../../platforms/retention.ts'
import { textModelOf } from './text-model.ts'
import { speechModelOf, videoModelOf } from './video-models.ts'

/** A dead worker is detected when its lease expires after this time (ms); another one then settles what it had started. */
const LEASE_MS = 30_000
/** How long (ms) running work may take to finish at a stop before it is aborted and released. */
export const STOP_PATIENCE_MS = 20_000

/** The configured models; `undefined` where there is none. */
export interface Models {
  readonly textModel: TextModel | undefined
  readonly videoModel: VideoModel | undefined
  readonly speechModel: SpeechModel | undefined
}

export function modelsOf(core: Core): Models {
  return { textModel: textModelOf(core), videoModel: videoModelOf(core), speechModel: speechModelOf(core) }
}

/** Runs all that acts on the log and the agenda. */
export async function startReactors(
  core: Core,
  { textModel, ...generators }: Models,
  secret: Buffer,
  stopping: AbortSignal,
) {
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
  const mailer = settings.SMTP_URL === undefined ? undefined : createMailer(settings.SMTP_URL, settings.MAIL_FROM)
  const policy = { delaysMs: settings.RETRY_DELAYS }
  const pace = { leastMs: settings.COMMENT_INTERVAL_LEAST, mostMs: settings.COMMENT_INTERVAL_MOST }
  const alike = lookAlikePosts({ db, log, seen, clock })
  const retaining: RemoveDeps = {
    ...{ log, clock, db, keys: core.erasableKeys },
    endAccess: (account, isLast, signal) => endAccess({ db, access, vault }, account, { isLast, signal }),
  }
  const ownFiles = { fileOf: (id: string, type: UploadType) => uploadName(secret, id, type) }
  const reactors = telemetry.reactors({
    publish: publishReactor({
      ...{ log, clock, access, logger, policy, alike },
      relay: createRelay({ log, clock, store: core.mediaStore, ...ownFiles }),
      onPublished: telemetry.published,
    }),
    schedule: scheduleReactor({ log, clock, graceMs: settings.SCHEDULE_GRACE }),
    pin: pinMediaReactor({
      ...{ log, clock, seen, media: core.media, store: core.mediaStore, room: core.mediaRoom, ...ownFiles },
      ...{ isOn: settings.PIN_MEDIA === 'on', maxBytes: settings.UPLOAD_MAX },
      serviceUrl: () => core.reachedAt.url,
    }),
    feed: feedReactor({ log, clock, db, http: telemetry.http(core.http, 'feed'), parser, checks: feedChecks(db) }),
    recycle: recycleReactor({ log, clock, textModel }),
    comments: fetchCommentsReactor({
      ...{ log, clock, db, access, logger },
      checks: commentChecks(db),
      paceOf: paceOf(pace, sandboxUrlOf(settings)),
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
    media: mediaReactor({ log, clock, store: core.mediaStore, files: core.partialFiles }),
    refund: refundReactor({ log, clock }),
    books: closeBooksReactor({ log, clock }),
    erase: eraseReactor({
      ...{ log, clock, keys: core.erasableKeys },
      eraseWorkspace: workspaceEraser({ ...retaining, db, vault }),
    }),
    retain: retainReactor({
      ...{ ...retaining, retention: RETENTION },
      ownerOf: (account, signal) => ownerOf(access, account, signal),
    }),
    expiry: expiryReactor({ log, clock, vault, access }),
    remove: removeReactor(retaining),
    deliver,
    redeliver: deliver,
    notify: sendNotificationReactor({
      ...{ log, clock, db, vault, secret, mailer, logger, http: telemetry.http(core.http, 'notification') },
      vapid: { ...vapidKeys(secret), subject: vapidSubject(settings) },
      policy: { delaysMs: settings.WEBHOOK_RETRY_DELAYS },
      url: () => core.reachedAt.url,
    }),
  })
  const deps = { leases, reactors, clock, logger, leaseMs: LEASE_MS }
  const local = localSlots(sizes, (row, slot) => work(deps, row, cutOff.signal, slot))
  const nats = settings.NATS_URL
    ? await natsSlots({ servers: settings.NATS_URL, local, leases, clock, logger, sizes, signal: stopping })
    : undefined
  const slots = nats ?? local
  const followers = [
    createFollower(FAN_OUT, () => fanOut(core), { ...core, log: telemetry.reading(log, FAN_OUT.name) }),
    createFollower(NOTIFY, () => notify(core), { ...core, log: telemetry.reading(log, NOTIFY.name) }),
    createFollower(AUTOMATE_REPLIES, () => automateReplies(core), {
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
