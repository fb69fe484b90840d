import * as z from 'zod'
import { text } from '../../../domain/core/text.ts'
import { ACTIVITY_KINDS, ACTOR_KINDS, PEOPLE, RULE_IDS } from '../../../domain/log/activity.ts'
import { pageQuery } from '../../http/pagination.ts'
import { EXAMPLE } from '../../openapi/examples.ts'
import { time } from '../history/history-schemas.ts'

const kind = z.enum(ACTIVITY_KINDS, { error: `must be one of ${ACTIVITY_KINDS.join(', ')}` })

/** Query of GET /activity. A list is comma-separated, or repeats the parameter. */
export const activityQuery = pageQuery
  .extend({
    actor: text(200)
      .optional()
      .describe(
        'Only what was done by this user (name or id) or API key (label or id), ' +
          `by a kind of actor (${ACTOR_KINDS.join(', ')}; people: ${PEOPLE.join(', ')}) or by one of the rules (${RULE_IDS.join(', ')}).`,
      ),
    kind: z
      .union([z.string(), z.array(z.string())])
      .transform((given) => [...new Set([given].flat().flatMap((names) => names.split(',')))])
      .pipe(z.array(kind))
      .optional()
      .describe('Only what was done with these, separated by commas or as repeated parameters.'),
    from: time.optional().describe('Only what was done at this time or later.'),
    to: time.optional().describe('Only what was done until this time.'),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    error: 'must not be before from',
  })
export type ActivityQuery = z.output<typeof activityQuery>

export const activitySchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    by: z
      .object({
        kind: z
          .enum(ACTOR_KINDS)
          .describe(
            'user: in the dashboard. key: a program. agent: an AI agent, over MCP. cli: the command line. ' +
              'guest: somebody with a link. ' +
              'rule: what somebody has set up, such as a feed.',
          ),
        id: z.string(),
        name: z.string().describe('As people know it.'),
      })
      .describe('Who did it.'),
    kind,
    type: z.string().describe('The type of the event.'),
    summary: z.string().describe('What was done, in one sentence.'),
    subject: z.object({
      id: z.string().describe('Of what it was done with, such as a post.'),
      name: z.string().nullable(),
      link: z.string().nullable().describe('The path of its page in the dashboard.'),
    }),
    requestId: z.string().optional(),
  })
  .meta({
    id: 'Activity',
    examples: [
      {
        id: 'act_00000000000000004711',
        at: EXAMPLE.at,
        by: { kind: 'agent', id: 'key_01JWB4R7T0W3Z6C9F2H5K8N1Q4', name: 'Claude' },
        kind: 'posts',
        type: 'PostQueued',
        summary: 'Queued by a request for 1 account on bluesky.',
        subject: { id: EXAMPLE.post, name: null, link: `/posts/${EXAMPLE.post}` },
        requestId: EXAMPLE.request,
      },
    ],
  })
export type ActivityEntry = z.infer<typeof activitySchema>
