/** The counts that platforms keep of a post, under one name each. */
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

/** A post's numbers as the platform reports them. A number that it does not report is absent, never zero. */
export type PostMetrics = Readonly<Partial<Record<Metric, number>>>

/** The platforms with post analytics (api-spec §4, Posts, rule 3). */
export const ANALYTICS_PLATFORMS = ['youtube', 'x', 'pinterest', 'bluesky', 'mastodon'] as const
export type AnalyticsPlatform = (typeof ANALYTICS_PLATFORMS)[number]

/** @param platform as given by the caller */
export function hasAnalytics(platform: string): platform is AnalyticsPlatform {
  return (ANALYTICS_PLATFORMS as readonly string[]).includes(platform)
}
