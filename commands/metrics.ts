import type {
  CapturedMetrics,
  MissedLook,
  PostMetricsEvent,
  PostMetricsState,
} from '../domain/analytics/post-metrics.ts'

/** Records the metrics of one check, once. A check that arrives after a later one is ignored. */
export function captureMetrics(state: PostMetricsState, captured: CapturedMetrics): readonly PostMetricsEvent[] {
  return isPast(state, captured) ? [] : [{ type: 'MetricsCaptured', data: captured }]
}

/** Records, once, that the platform does not know the post. */
export function missMetrics(state: PostMetricsState, missed: MissedLook): readonly PostMetricsEvent[] {
  return state.status === 'missing' || isPast(state, missed) ? [] : [{ type: 'MetricsMissing', data: missed }]
}

/** The caller erases the key. */
export function eraseMetrics(state: PostMetricsState): readonly PostMetricsEvent[] {
  const isErased = state.status === 'absent' || state.status === 'erased'
  return isErased ? [] : [{ type: 'MetricsErased', data: { slot: state.slot } }]
}

function isPast(state: PostMetricsState, { slot }: MissedLook): boolean {
  return state.status !== 'absent' && state.slot >= slot
}
