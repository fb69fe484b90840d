/** What platforms count of a post, by one name each. */
export const METRICS = [
  'views',
  'impressions',
  'likes',
  'reposts',
  'replies',
  'quotes',
  'bookmarks',
  'comments',
  'reactions',
  'saves',
  'pinClicks',
  'outboundClicks',
] as const
export type Metric = (typeof METRICS)[number]

/** Numbers of one post as its platform tells them: what it does not tell is absent, never zero. */
export type PostMetrics = Readonly<Partial<Record<Metric, number>>>

/** The platforms that tell how posts do (api-spec §4, Posts, rule 3). */
export const ANALYTICS_PLATFORMS = ['youtube', 'x', 'pinterest', 'bluesky'] as const
export type AnalyticsPlatform = (typeof ANALYTICS_PLATFORMS)[number]

/** @param platform as somebody has written it */
export function hasAnalytics(platform: string): platform is AnalyticsPlatform {
  return (ANALYTICS_PLATFORMS as readonly string[]).includes(platform)
}
