import type { FastifyInstance } from 'fastify'
import { PLATFORM_KEYS } from '../../domain/core/platform.ts'
import type { EventLog } from '../../event-log/event-log.ts'
import type { Http } from '../../infra/http/http.ts'
import type { Leases } from '../../reactors/runtime/leases.ts'
import type { PlatformAccess } from '../../reactors/platform-calls/platform-access.ts'
import type { Publication } from '../../reactors/publishing/publish.ts'
import type { Meter } from './measures.ts'
import type { Watch } from './watch.ts'
import { watchedAccess } from './watched-access.ts'
import { watchedHttp, type Destination } from './watched-http.ts'
import { watchedLog, watchedReading } from './watched-log.ts'
import { watchRequests } from './watched-requests.ts'
import { watchedLeases, watchedReactors, type Reactors } from './watched-work.ts'

/** Instruments the parts of the service: each method wraps a part and returns one that behaves the same. */
export interface Telemetry {
  log(log: EventLog): EventLog
  /** The event log as followed by `reader`. */
  reading(log: EventLog, reader: string): EventLog
  http(http: Http, to: Destination): Http
  access(access: PlatformAccess): PlatformAccess
  leases(leases: Leases): Leases
  reactors(reactors: Reactors): Reactors
  requests(app: FastifyInstance): void
  published(publication: Publication): void
}

/** Observes nothing, at no cost: for tests and the command line. */
export const NO_TELEMETRY: Telemetry = {
  log: (log) => log,
  reading: (log) => log,
  http: (http) => http,
  access: (access) => access,
  leases: (leases) => leases,
  reactors: (reactors) => reactors,
  requests: () => undefined,
  published: () => undefined,
}

export function createTelemetry(watch: Watch): Telemetry {
  const { meter } = watch
  beginAtZero(meter)
  const http = (client: Http, to: Destination): Http => watchedHttp(client, to, watch)
  return {
    http,
    log: (log) => watchedLog(log, watch),
    reading: (log, reader) => watchedReading(log, reader, watch),
    access: (access) => watchedAccess(access, http),
    leases: (leases) => watchedLeases(leases, watch),
    reactors: (reactors) => watchedReactors(reactors, watch),
    requests: (app) => watchRequests(app, watch),
    published: ({ platform, lateMs, reconciled }) => {
      meter.observe('fanfare_publish_late_seconds', { platform }, Math.max(0, lateMs) / 1000)
      if (reconciled) meter.count('fanfare_publish_reconciled_total', { platform })
    },
  }
}

/** The publish outcomes that alerts are based on. */
const OUTCOMES = ['published', 'deferred', 'permanent', 'needs_reauth', 'gave_up', 'unknown', 'no_account', 'missed']

/** A series that starts with its first event shows no increase for it: the first failure would not trigger an alert. */
function beginAtZero(meter: Meter): void {
  for (const platform of PLATFORM_KEYS) {
    for (const outcome of OUTCOMES) meter.count('fanfare_publish_outcomes_total', { platform, outcome }, 0)
  }
  for (const outcome of ['delivered', 'deferred', 'failed']) {
    for (const answer of ['2xx', '3xx', '4xx', '5xx', 'none']) {
      if ((outcome === 'delivered') === (answer === '2xx')) {
        meter.count('fanfare_webhook_attempts_total', { outcome, answer }, 0)
      }
    }
  }
}
