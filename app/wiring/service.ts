import { sweepIdempotencyKeys } from '../../api/http/idempotency.ts'
import { sweepPostClaims } from '../../api/v1/posts/claims.ts'
import { sweepKeySpending } from '../../infra/postgres/key-spending.ts'
import { createSessions } from '../../api/dashboard/sessions.ts'
import { sweepFlows } from '../../api/dashboard/sign-in-flows.ts'
import { sweepOAuth } from '../../api/oauth/grants.ts'
import { sweepRateWindows } from '../../api/http/rate-limit.ts'
import type { Core } from './core.ts'
import { keepSigning } from '../../event-log/tree/keep-signing.ts'
import { authorizationStore } from '../../reactors/accounts/authorization-store.ts'
import { sweepLiveAnswers } from '../../reactors/analytics/live-answers.ts'
import { UPLOAD_MS } from '../../domain/media/uploads.ts'
import { withheldApps } from '../../reactors/platform-calls/withheld-apps.ts'
import { atMost } from '../../infra/runtime/clock.ts'
import type { Role } from '../../infra/runtime/settings.ts'
import type { Metrics } from '../telemetry/prometheus.ts'
import { listenForScrapes, watchState } from './metrics.ts'
import { startApi } from './api.ts'
import { watchForOperator } from './operator.ts'
import { modelsOf, startReactors, STOP_PATIENCE_MS } from './reactors.ts'

export interface Service {
  /** The URL of the API, if that role runs here. */
  readonly url: string | undefined
  /** Stops taking new work, and finishes or releases running work, all within 25 s. */
  stop(): Promise<void>
}

const SWEEP_EVERY_MS = 3_600_000

/** Runs roles of the service in this process until it is stopped. */
export async function startService(core: Core, roles: readonly Role[], metrics?: Metrics): Promise<Service> {
  const { clock, logger, projector } = core
  // First, because the models' packages may not be installed.
  const models = roles.includes('reactors') ? modelsOf(core) : undefined
  // Fails early if no key decrypts it: nothing else would work either.
  const secret = await core.derivationSecret()
  const stopping = new AbortController()
  const { signal } = stopping
  const running: Promise<void>[] = [sweep(core, secret, signal)]

  if (models) await warnOfWithheldApps(core)
  if (roles.includes('projections')) running.push(projector.run(signal))
  if (models) running.push(keepSigning(core, await core.tree(), signal))
  const reactors = models && (await startReactors(core, models, secret, signal))
  if (reactors) running.push(reactors.dispatching, reactors.following, reactors.searching)
  running.push(watchForOperator(core, { nats: reactors?.nats, secret }, signal))
  if (metrics) watchState(metrics, core, { roles, nats: reactors?.nats })
  const api = roles.includes('api')
    ? await startApi(core, { nats: reactors?.nats, metrics, secret, signal })
    : undefined
  const listener = metrics && (await listenForScrapes(core, metrics))

  return {
    url: api?.url,
    stop: async () => {
      await api?.close()
      await listener?.close()
      stopping.abort()
      if (reactors) await atMost(clock, STOP_PATIENCE_MS + 2_000, reactors.finish())
      await atMost(clock, 2_000, Promise.all(running))
      logger.info({}, 'stopped')
    },
  }
}

async function warnOfWithheldApps(core: Core): Promise<void> {
  for (const account of await withheldApps(core)) {
    core.logger.warn(account, "an account at another host has the operator's app and is not used")
  }
}

/** Deletes expired data. */
async function sweep(core: Core, secret: Buffer, signal: AbortSignal): Promise<void> {
  const { db, media, mediaStore, partialFiles, vault, clock, logger } = core
  while (!signal.aborted) {
    try {
      await media.sweep(SWEEP_EVERY_MS)
      await sweepIdempotencyKeys(db, clock.now())
      await sweepPostClaims(db, clock.now())
      await sweepKeySpending(db, clock.now())
      await sweepRateWindows(db, clock.now())
      await createSessions(db, clock, secret).sweep()
      await sweepFlows(db, clock.now())
      await sweepLiveAnswers(db, clock.now())
      await authorizationStore(db, vault).sweep(clock.now())
      await mediaStore.sweep(SWEEP_EVERY_MS)
      await partialFiles.sweep(UPLOAD_MS + SWEEP_EVERY_MS)
      // Last: it also needs the log.
      await sweepOAuth(core)
    } catch (error) {
      logger.warn({ err: error }, 'expired data could not be deleted; trying again in an hour')
    }
    await clock.sleep(SWEEP_EVERY_MS, signal)
  }
}
