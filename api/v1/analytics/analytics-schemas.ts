import * as z from 'zod'
import { WEEKDAYS } from '../../../domain/analytics/best-times.ts'
import { METRICS } from '../../../domain/analytics/metrics.ts'
import { PLATFORM_KEYS, POST_TYPES } from '../../../domain/core/platform.ts'
import { ORIGINS } from '../../../domain/post/post-events.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

const figure = z.number().nonnegative().optional()
const count = z.int().nonnegative().optional()
const format = z.enum(POST_TYPES)
const asOf = z.iso.date().optional().describe('The requested day.')
const metricsSchema = z
  .object(Object.fromEntries(METRICS.map((name) => [name, count])))
  .describe('With the platform’s own names. Unavailable metrics are omitted, never reported as zero.')

const sums = {
  posts: z.int().describe('Published posts. A post to two accounts counts twice.'),
  views: count.describe('Views on YouTube, impressions on X and Pinterest; Bluesky and Mastodon report none.'),
  interactions: count.describe('All interactions with the posts.'),
}
const totals = { ...sums, engagementRate: figure.describe('Interactions per view, for posts that report both.') }
const totalsSchema = z
  .object(totals)
  .meta({ id: 'Totals', examples: [{ posts: 12, views: 8430, interactions: 512, engagementRate: 0.0607 }] })

export const rankedPostSchema = z
  .object({
    id: z.string().describe('As in GET /posts/{id}.'),
    postId: z.string().describe('The post’s id on the platform.'),
    platform: z.enum(PLATFORM_KEYS),
    accountId: z.string(),
    publishedAt: z.iso.datetime(),
    origin: z.enum(ORIGINS).optional().describe('As in GET /posts/{id}.'),
    format,
    caption: z.string().optional(),
    hashtags: z.array(z.string()),
    views: count,
    interactions: count,
    likes: count,
    comments: count,
    metrics: metricsSchema,
    capturedAt: z.iso.datetime().describe('When the platform reported these metrics.'),
  })
  .meta({
    id: 'RankedPost',
    examples: [
      {
        id: EXAMPLE.post,
        postId: '3lqk2vn7yhs2c',
        platform: 'x',
        accountId: EXAMPLE.account,
        publishedAt: EXAMPLE.at,
        origin: 'api',
        format: 'image',
        caption: 'Fresh from the oven',
        hashtags: ['bread'],
        views: 2104,
        interactions: 143,
        likes: 118,
        comments: 9,
        metrics: { likes: 118, replies: 9, impressions: 2104 },
        capturedAt: EXAMPLE.at,
      },
    ],
  })

export const summarySchema = z.object({
  days: z.int(),
  asOf,
  accountId: z.string().optional(),
  totals: totalsSchema,
  platforms: z
    .array(z.object({ platform: z.enum(PLATFORM_KEYS), ...totals }))
    .describe('The totals of each platform with a post in the period.'),
  topPosts: z.array(rankedPostSchema).describe('The three posts with the most views.'),
})

const performance = { posts: z.int(), medianViews: figure, medianInteractions: figure }

export const accountAnalyticsSchema = z
  .object({
    accountId: z.string(),
    platform: z.enum(PLATFORM_KEYS),
    days: z.int(),
    asOf,
    totals: totalsSchema,
    followers: z
      .int()
      .optional()
      .describe('Current followers; omitted if the platform does not report them, or for a past day.'),
    formats: z.array(z.object({ format, ...performance })).describe('Best first.'),
    hashtags: z.array(z.object({ hashtag: z.string(), ...performance })).describe('Best first.'),
  })
  .meta({
    id: 'AccountAnalytics',
    examples: [
      {
        accountId: EXAMPLE.account,
        platform: 'x',
        days: 30,
        totals: { posts: 12, views: 8430, interactions: 512, engagementRate: 0.0607 },
        followers: 1830,
        formats: [{ format: 'image', posts: 5, medianViews: 620, medianInteractions: 41 }],
        hashtags: [{ hashtag: 'bread', posts: 5, medianViews: 620, medianInteractions: 41 }],
      },
    ],
  })

const hour = z.int().min(0).max(23).describe('9 means 9:00 to 9:59 in the time zone.')
const weekday = z.enum(WEEKDAYS)
const founded = { posts: z.int().optional(), medianViews: figure, medianInteractions: figure }

export const bestTimesSchema = z
  .object({
    accountId: z.string(),
    platform: z.enum(PLATFORM_KEYS),
    days: z.int(),
    timezone: z.string(),
    basedOn: z.enum(['history', 'general']).describe('general: fewer than 5 posts report their interactions.'),
    posts: z.int().describe('Posts that this is based on or, when general, that are available.'),
    bestTimes: z.array(z.object({ weekday, hour, ...founded })).describe('Best first.'),
    bestDays: z.array(z.object({ weekday, ...founded })).describe('Best first.'),
    formats: z.array(z.object({ format, ...founded })).describe('Best first.'),
    postingFrequency: z.object({
      postsPerWeek: z.number().optional().describe('Actual posts per week.'),
      recommendedPostsPerWeek: z
        .number()
        .optional()
        .describe('The frequency at which posts performed best; omitted if unknown.'),
    }),
    guidance: z.array(z.string()).optional().describe('When general: advice in words.'),
  })
  .meta({
    id: 'BestTimes',
    examples: [
      {
        accountId: EXAMPLE.account,
        platform: 'x',
        days: 30,
        timezone: 'Europe/Berlin',
        basedOn: 'history',
        posts: 12,
        bestTimes: [{ weekday: 'monday', hour: 7, posts: 5, medianViews: 620, medianInteractions: 41 }],
        bestDays: [{ weekday: 'monday', posts: 5, medianViews: 620, medianInteractions: 41 }],
        formats: [{ format: 'image', posts: 5, medianViews: 620, medianInteractions: 41 }],
        postingFrequency: { postsPerWeek: 2.8, recommendedPostsPerWeek: 3 },
      },
    ],
  })

const period = { days: z.int(), asOf, timezone: z.string() }

export const dailySchema = z.object({
  ...period,
  daily: z.array(
    z.object({
      date: z.iso.date().describe('In the time zone.'),
      platform: z.enum(PLATFORM_KEYS),
      ...sums,
      likes: count,
      comments: count,
    }),
  ),
})

export const hoursSchema = z.object({ ...period, hours: z.array(z.object({ weekday, hour, ...performance })) })

export const topPostsSchema = z.object({ posts: z.array(rankedPostSchema), nextCursor: z.string().nullable() })

export const postAnalyticsSchema = z
  .object({
    platform: z.enum(PLATFORM_KEYS),
    postId: z.string().describe('The post’s id on the platform, for the first account.'),
    metrics: metricsSchema.describe('Totals across accounts. Unavailable metrics are omitted, never reported as zero.'),
    accounts: z.array(
      z.object({
        accountId: z.string(),
        postId: z.string(),
        metrics: metricsSchema.optional(),
        capturedAt: z.iso.datetime().optional().describe('When the platform reported them.'),
        error: z.string().optional().describe('Why they are out of date or missing.'),
      }),
    ),
  })
  .meta({
    id: 'PostAnalytics',
    examples: [
      {
        platform: 'x',
        postId: '1796',
        metrics: { likes: 118, replies: 9, impressions: 2104 },
        accounts: [
          {
            accountId: EXAMPLE.account,
            postId: '1796',
            metrics: { likes: 118, replies: 9, impressions: 2104 },
            capturedAt: EXAMPLE.at,
          },
        ],
      },
    ],
  })
