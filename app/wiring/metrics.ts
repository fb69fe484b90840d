import type { Core } from './core.ts'
import { AUTOMATE_REPLIES } from '../../reactors/conversations/automate-replies.ts'
import { FAN_OUT } from '../../reactors/webhooks/fan-out.ts'
import type { NatsSlots } from '../../reactors/runtime/nats-slots.ts'
import { packageVersion } from '../../infra/runtime/package-root.ts'
import type { Role, Settings } from '../../infra/runtime/settings.ts'
import { listenForMetrics, type MetricsListener } from '../telemetry/metrics-listener.ts'
import type { Metrics } from '../telemetry/prometheus.ts'
import {
  accountsPart,
  agendaPart,
  deliveriesPart,
  followerPart,
  processPart,
  projectionsPart,
} from '../telemetry/state.ts'
import { timeOfNext } from './health-checks.ts'

/** Adds the gauges read at each scrape: from the database, which all processes share, and from this process. */
export function watchState(
  metrics: Metrics,
  { settings, db, log, clock, pools }: Core,
  { roles, nats }: { readonly roles: readonly Role[]; readonly nats: NatsSlots | undefined },
): void {
  const build = { version: packageVersion(), node: process.versions.node, roles: roles.join('+') }
  const head = async () => {
    const { rows } = await db.query<{ last: string | null }>('select max(position) as last from log.events')
    return BigInt(rows[0]?.last ?? -1)
  }
  const parts = [
    processPart({ pools, nats, build }),
    agendaPart(db, clock),
    deliveriesPart(db),
    accountsPart(db, clock),
    projectionsPart(db, clock, {
      timeOfNext: (position) => timeOfNext(log, position),
      // EventStoreDB's positions are byte offsets, not counts.
      ...(settings.EVENTSTORE_URL === undefined && { head }),
    }),
    followerPart(db, log, clock, FAN_OUT),
    followerPart(db, log, clock, AUTOMATE_REPLIES),
  ]
  parts.forEach((part) => metrics.watch(part))
}

/**
 * Whether the API's port serves metrics: not if they have a port of their own, nor, without a token, if the port is exposed to
 * the outside.
 */
export function shownHere({ METRICS_PORT, METRICS_TOKEN, PUBLIC_URL, TRUST_PROXY }: Settings): boolean {
  const isInside = PUBLIC_URL === undefined && TRUST_PROXY === 'off'
  return METRICS_PORT === undefined && (isInside || METRICS_TOKEN !== undefined)
}

/** The separate port for metrics, if METRICS_PORT is set. */
export async function listenForScrapes(
  { settings: { METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN: token }, logger }: Core,
  metrics: Metrics,
): Promise<MetricsListener | undefined> {
  if (port === undefined) return undefined
  const listener = await listenForMetrics(metrics, { port, host, token, logger })
  logger.info({ host, port: listener.port }, 'serving metrics')
  return listener
}
