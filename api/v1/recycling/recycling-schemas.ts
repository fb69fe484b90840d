import * as z from 'zod'
import { text } from '../../../domain/core/text.ts'
import { selections } from '../posts/post-schemas.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

/** Ten years, so that the next date is always valid. */
const MOST_DAYS = 3650
const DAYS = { error: `must be a whole number of days from 1 to ${MOST_DAYS}` }

const intervalDays = z.int(DAYS).min(1, DAYS).max(MOST_DAYS, DAYS).describe('Days between reposts, at least 1.')
const rewriteCaption = z.boolean().describe('Whether the AI rewrites the caption for each repost.')
const shownSelections = z.record(z.string(), z.array(z.string()))

/** Body of POST /recycling-rules (api-spec §4, Recycling rules). */
export const addRecyclingRuleBody = z
  .object({
    sourcePostId: text(100).min(1).describe('A published post.'),
    selections: selections
      .optional()
      .describe('Platform key to array of account ids. Default: the accounts that the source post succeeded on.'),
    intervalDays: intervalDays.default(30),
    rewriteCaption: rewriteCaption.default(false),
  })
  .meta({ example: { sourcePostId: EXAMPLE.post, intervalDays: 30 } })

/** Body of PATCH /recycling-rules/{id}. */
export const changeRecyclingRuleBody = z
  .object({
    active: z.boolean().optional().describe('false pauses the rule.'),
    selections: selections.optional().describe('Platform key to array of account ids.'),
    intervalDays: intervalDays.optional(),
    rewriteCaption: rewriteCaption.optional(),
  })
  .meta({ example: { intervalDays: 14, rewriteCaption: true } })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'needs active, selections, intervalDays or rewriteCaption',
  })

export const recyclingRuleSchema = z
  .object({
    id: z.string(),
    sourcePostId: z.string(),
    selections: shownSelections,
    intervalDays: z.int(),
    rewriteCaption: z.boolean(),
    active: z.boolean(),
    lastRecycledAt: z.iso.datetime().optional(),
    nextRecycleAt: z.iso
      .datetime()
      .describe('While active: the post is recycled at the first check (0, 6, 12, 18 h UTC) from then on.'),
    recycleCount: z.int(),
    lastError: z.string().optional().describe('Why the last repost failed; it is tried again at the next check.'),
    lastPostId: z.string().optional().describe('The post of the last repost: see GET /posts/{id}.'),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: 'RecyclingRule',
    examples: [
      {
        id: 'rule_01JWB6J9M2Q5T8W1Z4C7F0H3K6',
        sourcePostId: EXAMPLE.post,
        selections: { facebook: [EXAMPLE.account] },
        intervalDays: 30,
        rewriteCaption: false,
        active: true,
        nextRecycleAt: '2026-06-30T07:00:00.000Z',
        recycleCount: 0,
        createdAt: EXAMPLE.at,
      },
    ],
  })
