import * as z from 'zod'
import { FORECAST_KINDS } from '../../../domain/post/forecast.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

const DAY_MS = 86_400_000

export const forecastQuery = z.object({
  days: z.coerce.number().int().min(1).max(92).default(30).describe('How far to look ahead.'),
})

const time = z.iso.datetime()

const entrySchema = z
  .object({
    at: time.describe('When it happens, or begins.'),
    kind: z
      .enum(FORECAST_KINDS)
      .describe('held: the post needs an approval that nobody has given by then. warning: something to know.'),
    platform: z.string().optional(),
    accountId: z.string().optional(),
    postIds: z.array(z.string()).describe('The posts. Those that wait for the same reason are in one entry.'),
    ruleId: z.string().optional().describe('The recycling rule that cannot make its post.'),
    sentence: z.string().describe('What happens, and why. Times are in the other fields.'),
    until: time
      .optional()
      .describe('Of waits: when the last of the posts is published or fails. Of maintenance: its end.'),
    usd: z.number().optional().describe('What the platform charges, in US dollars. Omitted where it is free.'),
  })
  .meta({
    id: 'ForecastEntry',
    examples: [
      {
        at: EXAMPLE.at,
        kind: 'waits',
        platform: 'instagram',
        accountId: EXAMPLE.account,
        postIds: [EXAMPLE.post],
        sentence: 'The account has published as many posts as Instagram allows in a day: 100 of 100. One post waits.',
        until: '2026-05-31T13:00:00.000Z',
      },
    ],
  })

const forecastSchema = z.object({
  from: time,
  until: time,
  entries: z.array(entrySchema).describe('The soonest first.'),
  totals: z
    .object({
      published: z.int(),
      waits: z.int(),
      fails: z.int(),
      held: z.int(),
      usd: z.number().describe('What platforms charge for all of it, in US dollars.'),
    })
    .describe('A post counts once for each of its accounts, and once if it is held.'),
  cutAt: time.optional().describe('More is planned than a forecast covers: it ends here.'),
})

/** What will happen to what is planned. */
export function forecastRoutes({ clock, forecastPosts }: Services): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/forecast',
      operationId: 'getForecast',
      summary: 'Get what will happen to what is planned',
      description:
        'What is published, what waits, fails or is held, and what it costs: for scheduled posts, posts that wait, and ' +
        'recycling rules. The code that publishes decides, on a clock of its own, by what is known of quotas, budgets, ' +
        'tokens and approvals. No platform is called, and nothing changes. Future feed items are not known.',
      tag: 'Scheduled posts',
      scope: 'posts:read',
      query: forecastQuery,
      answer: {
        status: 200,
        description: 'The forecast. It covers at most 10,000 scheduled posts.',
        schema: forecastSchema,
      },
      handle: async ({ query: { days }, caller: { workspaceId } }) => {
        const now = clock.now()
        return { status: 200, body: { ...(await forecastPosts({ workspaceId, now, until: now + days * DAY_MS })) } }
      },
    }),
  ]
}
