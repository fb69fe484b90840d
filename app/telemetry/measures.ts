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
  fanfare_http_requests_total: counter(['method', 'route', 'status'], 'Answered requests'),
  fanfare_http_request_seconds: histogram(['method', 'route'], SECONDS, 'Time from a request to its answer'),
  fanfare_rate_limit_refusals_total: counter([], 'Requests refused by the rate limit'),
  fanfare_idempotent_replays_total: counter(['route'], 'Requests answered with what an Idempotency-Key had before'),

  fanfare_appends_total: counter(['category', 'outcome'], 'Appends to the log, by kind of stream and outcome'),
  fanfare_append_seconds: histogram([], SECONDS, 'Time of one append, whatever came of it'),
  fanfare_appended_events_total: counter(['category'], 'Events appended, by kind of stream'),
  fanfare_log_batch_events: histogram(['reader'], EVENTS, 'Events in one delivery of the log to a reader'),
  fanfare_log_batch_seconds: histogram(['reader'], SECONDS, 'Time from a delivery until its reader asks for the next'),

  fanfare_projection_position: gauge(['projection'], 'Position in the log that a read model has come to'),
  fanfare_projections_halted: gauge([], 'Read models that stand still because they met an event they can not apply'),
  fanfare_projections_lag_seconds: gauge([], 'Age of the oldest event that is not in the read models yet'),
  fanfare_projections_behind_events: gauge(
    [],
    'Events that are not in the read models yet; only of the log in Postgres',
  ),
  fanfare_follower_lag_seconds: gauge(
    ['follower'],
    'Age of the oldest event that a follower of the log has still to handle',
  ),

  fanfare_agenda_due_rows: gauge(['kind'], 'Rows of the agenda that are due and in nobody’s hands'),
  fanfare_agenda_oldest_due_seconds: gauge(['kind'], 'For how long the oldest of them has been due'),
  fanfare_deliveries_pending: gauge(['kind'], 'Webhook deliveries still owed, those that wait for a retry included'),
  fanfare_work_total: counter(['kind', 'outcome'], 'Rows of the agenda worked on, by outcome'),
  fanfare_work_seconds: histogram(['kind'], SECONDS, 'Time of one piece of work'),
  fanfare_leases_lost_total: counter(['kind'], 'Leases that somebody else had taken before the work was done'),

  fanfare_schedule_late_seconds: histogram([], LATE_SECONDS, 'From the time of a scheduled post until it was queued'),
  fanfare_publish_late_seconds: histogram(
    ['platform'],
    LATE_SECONDS,
    'From when a post was due until an account had it',
  ),
  fanfare_publish_outcomes_total: counter(['platform', 'outcome'], 'What attempts to publish came to, per account'),
  fanfare_publish_reconciled_total: counter(['platform'], 'Posts found published by looking, after an answer was lost'),
  fanfare_reply_outcomes_total: counter(['outcome'], 'What attempts to send a reply came to'),
  fanfare_accounts: gauge(['platform', 'standing'], 'Connected accounts: ok, resting, or needs_reauth'),

  fanfare_outbound_calls_total: counter(
    ['to', 'answer'],
    'Calls to others, by destination and status class or failure',
  ),
  fanfare_outbound_seconds: histogram(['to'], SECONDS, 'Time of such a call, of a download until its headers'),
  fanfare_outbound_bytes_total: counter(['to', 'direction'], 'Bytes of bodies sent and received, as far as announced'),
  fanfare_webhook_attempts_total: counter(['outcome', 'answer'], 'Attempts to deliver to webhooks'),
  fanfare_webhook_attempt_seconds: histogram([], SECONDS, 'Time until a webhook’s receiver had answered'),

  fanfare_nats_connected: gauge([], 'Whether NATS is connected (1) or away (0); absent where it is not used'),
  fanfare_db_connections: gauge(['pool', 'state'], 'Connections to Postgres, active and idle'),
  fanfare_db_waiting: gauge(['pool'], 'Queries that wait for a connection'),
  fanfare_scrape_ok: gauge(['part'], 'Whether a part that asks the database was read in time (1) or not (0)'),
  fanfare_build_info: gauge(['version', 'node', 'roles'], 'Always 1; what runs here'),
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
