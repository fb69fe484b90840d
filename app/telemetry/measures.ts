/*
 * All metrics of the service. Labels are bounded sets (kinds, platforms, statuses, route templates), never an id, a name or an
 * address: metrics are visible to anyone who monitors the machine.
 */

interface Measure {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  /** Upper bounds, in the unit of the metric's name. */
  readonly buckets?: readonly number[]
}

/** From a fast append to a slow platform. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** From immediate to a day, for work that waits. */
const LATE_SECONDS = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400]
const EVENTS = [1, 2, 5, 10, 50, 100, 500, 1_000, 5_000]

const counter = <const L extends readonly string[]>(labels: L, help: string) =>
  ({ kind: 'counter', help, labels }) as const
const gauge = <const L extends readonly string[]>(labels: L, help: string) => ({ kind: 'gauge', help, labels }) as const
const histogram = <const L extends readonly string[]>(labels: L, buckets: readonly number[], help: string) =>
  ({ kind: 'histogram', help, labels, buckets }) as const

export const MEASURES = {
  fanfare_http_requests_total: counter(['method', 'route', 'status'], 'HTTP requests answered'),
  fanfare_http_request_seconds: histogram(['method', 'route'], SECONDS, 'Time from a request to its response'),
  fanfare_rate_limit_refusals_total: counter([], 'Requests refused by the rate limit'),
  fanfare_idempotent_replays_total: counter(
    ['route'],
    'Requests answered with the first response for their Idempotency-Key',
  ),

  fanfare_appends_total: counter(['category', 'outcome'], 'Appends to the log, by kind of stream and outcome'),
  fanfare_append_seconds: histogram([], SECONDS, 'Duration of one append, whatever its outcome'),
  fanfare_appended_events_total: counter(['category'], 'Events appended, by kind of stream'),
  fanfare_log_batch_events: histogram(['reader'], EVENTS, 'Events in one batch from the log to a reader'),
  fanfare_log_batch_seconds: histogram(['reader'], SECONDS, 'Time from a batch until its reader asks for the next'),

  fanfare_projection_position: gauge(['projection'], 'Position of a read model in the log'),
  fanfare_projections_halted: gauge([], 'Read models halted at an event that they cannot apply'),
  fanfare_projections_lag_seconds: gauge([], 'Age of the oldest event that is not in the read models yet'),
  fanfare_projections_behind_events: gauge(
    [],
    'Events that are not in the read models yet; only with the log in Postgres',
  ),
  fanfare_follower_lag_seconds: gauge(
    ['follower'],
    'Age of the oldest event that a follower of the log has yet to handle',
  ),

  fanfare_agenda_due_rows: gauge(['kind'], 'Rows of the agenda that are due and not leased'),
  fanfare_agenda_oldest_due_seconds: gauge(['kind'], 'Time since the oldest row that is not leased became due'),
  fanfare_deliveries_pending: gauge(['kind'], 'Pending webhook deliveries, including those waiting for a retry'),
  fanfare_work_total: counter(['kind', 'outcome'], 'Rows of the agenda processed, by outcome'),
  fanfare_work_seconds: histogram(['kind'], SECONDS, 'Duration of one piece of work'),
  fanfare_leases_lost_total: counter(['kind'], 'Leases that another worker took before the work was done'),

  fanfare_schedule_late_seconds: histogram(
    [],
    LATE_SECONDS,
    'Time from the scheduled time of a post until it was queued',
  ),
  fanfare_publish_late_seconds: histogram(
    ['platform'],
    LATE_SECONDS,
    'Time from when a post was due until it was published on an account',
  ),
  fanfare_publish_outcomes_total: counter(['platform', 'outcome'], 'Attempts to publish, per account, by outcome'),
  fanfare_publish_reconciled_total: counter(
    ['platform'],
    'Posts found to be published by a look-up after the response was lost',
  ),
  fanfare_reply_outcomes_total: counter(['outcome'], 'Attempts to send a reply, by outcome'),
  fanfare_accounts: gauge(['platform', 'standing'], 'Connected accounts: ok, resting, or needs_reauth'),

  fanfare_outbound_calls_total: counter(['to', 'answer'], 'Outgoing calls, by destination and status class or failure'),
  fanfare_outbound_seconds: histogram(
    ['to'],
    SECONDS,
    'Duration of an outgoing call; of a download, until its headers',
  ),
  fanfare_outbound_bytes_total: counter(
    ['to', 'direction'],
    'Bytes of bodies sent and received; of streams, as announced',
  ),
  fanfare_webhook_attempts_total: counter(['outcome', 'answer'], 'Webhook delivery attempts'),
  fanfare_webhook_attempt_seconds: histogram([], SECONDS, 'Time until the receiver of a webhook responded'),

  fanfare_nats_connected: gauge([], 'Whether NATS is connected (1) or not (0); absent if it is not used'),
  fanfare_db_connections: gauge(['pool', 'state'], 'Connections to Postgres, active and idle'),
  fanfare_db_waiting: gauge(['pool'], 'Queries waiting for a connection'),
  fanfare_scrape_ok: gauge(['part'], 'Whether a part that queries the database was read in time (1) or not (0)'),
  fanfare_build_info: gauge(['version', 'node', 'roles'], 'Always 1; the labels describe this process'),
} as const satisfies Readonly<Record<string, Measure>>

type Measures = typeof MEASURES
export type MeasureName = keyof Measures
type NameOf<Kind extends Measure['kind']> = {
  [Name in MeasureName]: Measures[Name]['kind'] extends Kind ? Name : never
}[MeasureName]
export type CounterName = NameOf<'counter'>
export type GaugeName = NameOf<'gauge'>
export type HistogramName = NameOf<'histogram'>

export type LabelsOf<Name extends MeasureName> = Readonly<Record<Measures[Name]['labels'][number], string>>

/** Records measurements as they happen. Gauges are read at each scrape (`scraped-parts.ts`). */
export interface Meter {
  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by?: number): void
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, value: number): void
}
