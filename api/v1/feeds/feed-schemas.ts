import * as z from 'zod'
import { FEED_PLATFORMS } from '../../../domain/feed/rss-feed.ts'
import { text } from '../../../domain/core/text.ts'
import { platformOptions } from '../../../platforms/post-options.ts'
import { accountOptions, checkAccountOptions } from '../posts/account-options.ts'
import { selections } from '../posts/post-schemas.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

const DEFAULT_TEMPLATE = '{title}\n\n{link}'

const url = text(2000).refine((value) => URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol), {
  error: 'must be the URL of an RSS or Atom feed that begins with http:// or https://',
})

const isFeedPlatform = (name: string) => (FEED_PLATFORMS as readonly string[]).includes(name)

const feedSelections = selections
  .superRefine((value, context) => {
    for (const [name, accountIds] of Object.entries(value)) {
      const add = (message: string) => context.addIssue({ code: 'custom', path: [name], message })
      if (!isFeedPlatform(name)) add(`is not supported for feeds: only ${FEED_PLATFORMS.join(', ')} are`)
      else if (accountIds.length === 0) add('must name at least one account')
    }
  })
  .describe(`Platform key to array of account ids; only ${FEED_PLATFORMS.join(', ')}.`)

const captionTemplate = text(10_000).describe('Only `{title}` and `{link}` are replaced.')
const LEAST_INTERVAL = { error: 'must be a whole number of minutes from 15 to 525600' }
const checkIntervalMinutes = z
  .int(LEAST_INTERVAL)
  .min(15, LEAST_INTERVAL)
  .max(525_600, LEAST_INTERVAL)
  .describe('At least 15.')

/** Of the posts that a feed makes. */
const options = { platformOptions: platformOptions.optional(), accountOptions: accountOptions.optional() }

/** Body of POST /rss-feeds (api-spec §4). */
export const addFeedBody = z
  .object({
    url: url.describe('RSS 2.0 or Atom feed.'),
    selections: feedSelections,
    captionTemplate: captionTemplate.default(DEFAULT_TEMPLATE),
    checkIntervalMinutes: checkIntervalMinutes.default(60),
    ...options,
  })
  .superRefine(checkAccountOptions)
  .meta({
    example: {
      url: 'https://example.com/feed.xml',
      selections: { facebook: [EXAMPLE.account] },
      checkIntervalMinutes: 30,
    },
  })

/** Body of PATCH /rss-feeds/{id}. */
export const changeFeedBody = z
  .object({
    active: z.boolean().optional().describe('false pauses the feed.'),
    selections: feedSelections.optional(),
    captionTemplate: captionTemplate.optional(),
    checkIntervalMinutes: checkIntervalMinutes.optional(),
    platformOptions: options.platformOptions.describe('Replaces all of them.'),
    accountOptions: options.accountOptions.describe('Replaces all of them.'),
  })
  .meta({ example: { active: false } })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'needs active, selections, captionTemplate, checkIntervalMinutes, platformOptions or accountOptions',
  })

export const feedSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    selections: z.record(z.string(), z.array(z.string())),
    captionTemplate: z.string(),
    checkIntervalMinutes: z.int(),
    ...options,
    active: z.boolean(),
    lastCheckedAt: z.iso.datetime().optional(),
    lastError: z.string().optional().describe('The error, if the last check failed.'),
    postedCount: z.int(),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'Feed',
    examples: [
      {
        id: 'feed_01JWB6E5H8K1N4Q7T0W3Z6C9F2',
        url: 'https://example.com/feed.xml',
        selections: { facebook: [EXAMPLE.account] },
        captionTemplate: DEFAULT_TEMPLATE,
        checkIntervalMinutes: 30,
        active: true,
        lastCheckedAt: EXAMPLE.at,
        postedCount: 4,
        createdAt: EXAMPLE.at,
      },
    ],
  })

export const feedItemSchema = z
  .object({
    title: z.string(),
    link: z.string(),
    status: z.enum(['seeded', 'posted', 'skipped']).describe('seeded: already in the feed when it was added.'),
    postId: z.string().optional().describe('When posted: see GET /posts/{id}.'),
    reason: z.string().optional().describe('When skipped: the reason.'),
    seenAt: z.iso.datetime(),
  })
  .meta({
    id: 'FeedItem',
    examples: [
      {
        title: 'Rye is back',
        link: 'https://example.com/rye',
        status: 'posted',
        postId: EXAMPLE.post,
        seenAt: EXAMPLE.at,
      },
    ],
  })

/** What a change makes of a feed, for the checks that need both. */
export const changedFeed = z
  .object({ selections: z.record(z.string(), z.array(z.string())), accountOptions: options.accountOptions })
  .superRefine(checkAccountOptions)
