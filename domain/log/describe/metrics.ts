import type { PostMetricsEvent } from '../../analytics/post-metrics.ts'
import { numbered, sentence } from './wording.ts'

export function describeMetrics(event: PostMetricsEvent): string {
  if (event.type === 'MetricsErased') return 'The metrics of the post were erased.'
  const { postId, platform, accountId, platformPostId } = event.data
  const of = `for post ${postId} on ${platform} (account ${accountId})`
  switch (event.type) {
    case 'MetricsCaptured':
      return sentence(`Metrics ${of} were read`, numbered(event.data.metrics) || 'none')
    case 'MetricsMissing':
      return sentence(
        `No metrics ${of} were found, because the platform does not have it`,
        `its id on the platform is ${platformPostId}`,
      )
  }
}
