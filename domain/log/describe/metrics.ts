import type { PostMetricsEvent } from '../../analytics/post-metrics.ts'
import { numbered, sentence } from './wording.ts'

export function describeMetrics(event: PostMetricsEvent): string {
  const { postId, platform, accountId, platformPostId } = event.data
  const of = `of post ${postId} on ${platform} (account ${accountId})`
  switch (event.type) {
    case 'MetricsCaptured':
      return sentence(`The numbers ${of} were read`, numbered(event.data.metrics) || 'none')
    case 'MetricsMissing':
      return sentence(
        `No numbers ${of} were found, because the platform did not know it`,
        `its id there is ${platformPostId}`,
      )
  }
}
