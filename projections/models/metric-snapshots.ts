import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import { metrics } from '../../domain/analytics/post-metrics.ts'
import { figureColumns, figures } from './post-metrics.ts'
import { json, text, time, type RowOf } from '../engine/columns.ts'
import type { Projection } from '../engine/projection.ts'

const columns = {
  id: text(),
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
  version: 1,
  columns,
  // Each event creates its own row.
  createsRow: () => true,
  indexes: ['(post_metrics_id, captured_at desc) include (views, interactions, likes, comments)'],
  rowIds: (recorded) => {
    const event = eventOf(metrics, recorded)
    if (event?.type !== 'MetricsCaptured') return []
    return [`${parseStreamName(recorded.stream).id}/${event.data.slot}`]
  },
  apply: (row, recorded, id) => {
    const event = eventOf(metrics, recorded)
    if (event?.type !== 'MetricsCaptured') return row
    const { metrics: numbers } = event.data
    const postMetricsId = parseStreamName(recorded.stream).id
    return { id, postMetricsId, capturedAt: recorded.metadata.at, metrics: numbers, ...figureColumns(numbers) }
  },
}
