import * as z from 'zod'
import { PLATFORM_KEYS } from '../../../domain/core/platform.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { route, type AnyRoute } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'

const month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, { error: 'must be a month, such as 2026-11' })
  .meta({ examples: ['2026-11'] })

const kindSchema = z.object({
  kind: z.string().describe('As the prices of the platform name it.'),
  label: z.string(),
  count: z.int(),
  usd: z.number().describe('For all of them, in US dollars.'),
})

const EXAMPLE_COST = {
  platform: 'x' as const,
  usd: 0.245,
  asOf: '2026-08-22',
  kinds: [
    { kind: 'post', label: 'posts', count: 3, usd: 0.045 },
    { kind: 'post_with_link', label: 'posts with a link', count: 1, usd: 0.2 },
  ],
}

const costSchema = z
  .object({
    platform: z.enum(PLATFORM_KEYS),
    usd: z.number().describe('The sum of its kinds, in US dollars.'),
    asOf: z.iso.date().describe("When the prices were last compared with the platform's own."),
    kinds: z.array(kindSchema),
  })
  .meta({ id: 'PlatformCost', examples: [EXAMPLE_COST] })

/** What platforms charge for. */
export function costRoutes({ clock, monthCosts }: Services): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/costs',
      operationId: 'getCosts',
      summary: 'Get what the use of platforms has cost in a month',
      description:
        'Counted from the history, at the current prices: posts, replies, comments received and looks at metrics. The ' +
        "platform's own bill is higher by what leaves no trace there, such as comments that are read again on another day.",
      tag: 'Accounts',
      scope: 'accounts:read',
      query: z.object({ month: month.optional().describe('UTC. Default: the current one.') }),
      answer: {
        status: 200,
        description: 'Only platforms that charged for something appear.',
        schema: z.object({ month, costs: z.array(costSchema) }),
      },
      handle: async ({ query, caller }) => {
        const { month = isoTime(clock.now()).slice(0, 7) } = query
        const costs = await monthCosts(month, caller.workspaceId)
        return { status: 200, body: { month, costs: costs.map((each) => ({ ...each, kinds: [...each.kinds] })) } }
      },
    }),
  ]
}
