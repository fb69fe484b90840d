import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import { metrics } from '../../domain/analytics/post-metrics.ts'
import { figureColumns, figures } from './post-metrics.ts'
import { json, text, time, type RowOf } from '../engine/columns.ts'
import type { Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
  workspaceId: text(),
  /** The row of `post_metrics`. */
  postMetricsId: text(),
  capturedAt: time(),
  metrics: json<PostMetrics>(),
  ...figures,
}
/** The numbers of one post on one account at one reading. */
export type MetricSnapshotRow = RowOf<typeof columns>

export const metricSnapshots: Projection<MetricSnapshotRow> = {
  name: 'metric_snapshots',
  version: 2,
  columns,
  // Each reading creates its own row.
  createsRow: ({ type }) => type !== 'MetricsErased',
  indexes: ['(post_metrics_id, captured_at desc) include (views, interactions, likes, comments)'],
  rowIds: (recorded) => {
    const event = eventOf(metrics, recorded)
    const { id } = parseStreamName(recorded.stream)
    if (event?.type === 'MetricsCaptured') return [`${id}/${event.data.slot}`]
    if (event?.type !== 'MetricsErased') return []
    return Array.from({ length: event.data.slot + 1 }, (_, slot) => `${id}/${slot}`)
  },
  apply: (_row, recorded, id) => {
    const event = eventOf(metrics, recorded)
    if (event?.type !== 'MetricsCaptured') return undefined
    const { workspaceId, metrics: numbers } = event.data
    const of = { id, workspaceId, postMetricsId: parseStreamName(recorded.stream).id }
    return { ...of, capturedAt: recorded.metadata.at, metrics: numbers, ...figureColumns(numbers) }
  },
}
