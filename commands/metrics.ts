import type {
  CapturedMetrics,
  MissedLook,
  PostMetricsEvent,
  PostMetricsState,
} from '../domain/analytics/post-metrics.ts'

/** Puts down the numbers of one look, once; a look that comes in after a later one says nothing new. */
export function captureMetrics(state: PostMetricsState, captured: CapturedMetrics): readonly PostMetricsEvent[] {
  return isPast(state, captured) ? [] : [{ type: 'MetricsCaptured', data: captured }]
}

/** Puts down that the platform does not know the post; while it stays so, nothing more. */
export function missMetrics(state: PostMetricsState, missed: MissedLook): readonly PostMetricsEvent[] {
  return state.status === 'missing' || isPast(state, missed) ? [] : [{ type: 'MetricsMissing', data: missed }]
}

function isPast(state: PostMetricsState, { slot }: MissedLook): boolean {
  return state.status !== 'absent' && state.slot >= slot
}
