import { join } from 'node:path'
import { createCursors } from '../../api/http/pagination.ts'
import { timeLimit } from '../../api/http/time-limit.ts'
import { impatientLog } from '../../api/kit/impatient-log.ts'
import { buildServer } from '../../api/server.ts'
import { createTotps } from '../../infra/postgres/totps.ts'
import { webhookSecrets } from '../../infra/postgres/webhook-secrets.ts'
import type { Core } from './core.ts'
import { mediaUrl } from '../../infra/media/media-url.ts'
import { accountAuthorization } from '../../reactors/accounts/account-authorization.ts'
import { accountRemovals } from '../../reactors/accounts/account-removals.ts'
import { accountConnection } from '../../reactors/accounts/account-connection.ts'
import { createDestinations } from '../../reactors/accounts/destinations.ts'
import { uploadServices } from './uploads.ts'
import { editRulesOf } from '../../reactors/publishing/edit.ts'
import { createSmallImages } from '../../reactors/media/small-image.ts'
import { createForecast } from '../../reactors/forecast/forecast.ts'
import { forecastDeps } from './forecast.ts'
import { createPreview } from '../../reactors/publishing/preview.ts'
import { createPrices } from '../../reactors/publishing/prices.ts'
import { monthCosts } from '../../reactors/accounts/month-costs.ts'
import { competitorTracking } from '../../reactors/analytics/add-competitor.ts'
import { liveNumbers } from '../../reactors/analytics/live-numbers.ts'
import { type NatsSlots } from '../../reactors/runtime/nats-slots.ts'
import { webhookAddressCheck } from '../../reactors/webhooks/webhook-address.ts'
import { packageRoot } from '../../infra/runtime/package-root.ts'
import type { Metrics } from '../telemetry/prometheus.ts'
import { healthChecks } from './health-checks.ts'
import { shownHere } from './metrics.ts'
import { singleSignOnOf } from './single-sign-on.ts'
import { sandboxPagesOf } from './platform-settings.ts'
import { speechModelOf } from './video-models.ts'
import { authorizationDeps } from './authorization.ts'

/** Below the request timeout (api-spec §8), so that the request is answered with what there is. */
const REPLY_PATIENCE_MS = 20_000
/** How long a request waits for EventStoreDB. Its longest stalls on a small machine are a second. */
const LOG_PATIENCE_MS = 2_000

/** Runs the API and the dashboard. */
export async function startApi(
  whole: Core,
  given: {
    readonly nats: NatsSlots | undefined
    readonly metrics: Metrics | undefined
    readonly secret: Buffer
    readonly signal: AbortSignal
  },
): Promise<{ url: string; close(): Promise<void> }> {
  const patience = whole.settings.EVENTSTORE_URL ? timeLimit(whole.clock, LOG_PATIENCE_MS) : undefined
  const core = patience ? { ...whole, log: impatientLog(whole.log, patience) } : whole
  const { settings, clock, ids, logger, db, log, seen, vault } = core
  const singleSignOn = singleSignOnOf(settings, clock)
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
      forecastPosts: createForecast(forecastDeps(core)),
      refuseDuplicates: settings.REFUSE_DUPLICATES,
      url: () => core.reachedAt.url,
      webhookSecrets: webhookSecrets(vault),
      refuseAddress: webhookAddressCheck(core),
      vault,
      passwords: core.passwords,
      sendsMail: settings.SMTP_URL !== undefined,
      replyPatienceMs: REPLY_PATIENCE_MS,
      replyRulesOf: (platform) => core.access.platform(platform).conversation,
      canUnpublish: (platform) => core.access.platform(platform).unpublish !== undefined,
      editRulesOf: (platform) => editRulesOf(core.access.platform(platform)),
      videos: {
        prices: { perScene: settings.VIDEO_CREDITS_PER_SCENE, voiceover: settings.VIDEO_CREDITS_VOICEOVER },
        generates: { video: settings.video.provider !== 'none', speech: settings.speech.provider !== 'none' },
        // The voices of other providers are not known in advance.
        voices: settings.speech.provider === 'sandbox' ? speechModelOf(core)?.voices : undefined,
        urlOf: (file) => mediaUrl(core.reachedAt.url, file),
      },
      uploads: uploadServices(core, given.secret),
      erasableKeys: core.erasableKeys,
      sandbox: sandboxPagesOf(settings),
      costsOf: core.access.costsOf,
      monthCosts: monthCosts({ db, costsOf: core.access.costsOf }),
      prices: createPrices(core),
      whyNotAllowed: core.access.whyNotAllowed,
      destinationsOf: createDestinations({ ...core, signal: given.signal }),
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
    removals: accountRemovals(core, given.secret),
    url: () => core.reachedAt.url,
    mediaStore: core.mediaStore,
    http: core.http,
    vault,
    derivationSecret: given.secret,
    publicUrl: settings.PUBLIC_URL,
    verificationFiles: settings.VERIFICATION_FILES,
    dashboard: {
      directory: join(packageRoot(), 'dist', 'dashboard'),
      mediaOrigins: settings.SANDBOX === 'on' ? [`http://127.0.0.1:${settings.SANDBOX_PORT}`] : [],
      perMinute: settings.DASHBOARD_RATE_LIMIT_PER_MINUTE,
      maintenance: settings.MAINTENANCE_WINDOWS,
      totps: createTotps(core.vault),
      connection: accountConnection(authorizationDeps(core, given.secret)),
      competitors: competitorTracking(core),
      smallImage: createSmallImages(core),
      singleSignOn,
    },
  })
  const address = await app.listen({ port: settings.PORT, host: settings.HOST })
  if (settings.PORT === 0 && settings.PUBLIC_URL === undefined) core.reachedAt.url = address
  const close = async () => {
    await app.close()
    await singleSignOn?.close()
    patience?.close()
  }
  return { url: settings.PUBLIC_URL ?? address, close }
}
