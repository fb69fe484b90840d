import { eventOf, parseStreamName } from '../../domain/core/event.ts'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import { metrics } from '../../domain/analytics/post-metrics.ts'
import { figureColumns, type FigureColumns } from './post-metrics.ts'
import type { Projection } from '../engine/projection.ts'

/** The numbers of one post on one account at one reading. */
export interface MetricSnapshotRow extends FigureColumns {
  readonly id: string
  /** The row of `post_metrics`. */
  readonly post_metrics_id: string
  readonly captured_at: string
  readonly metrics: PostMetrics
}

export const metricSnapshots: Projection<MetricSnapshotRow> = {
  name: 'metric_snapshots',
  version: 1,
  columns: {
    id: 'text',
    post_metrics_id: 'text',
    captured_at: 'timestamptz',
    metrics: 'json',
    views: 'bigint',
    interactions: 'bigint',
    likes: 'bigint',
    comments: 'bigint',
  },
  // Each event creates its own row.
  makesAnew: () => true,
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
    const post_metrics_id = parseStreamName(recorded.stream).id
    return { id, post_metrics_id, captured_at: recorded.metadata.at, metrics: numbers, ...figureColumns(numbers) }
  },
}
