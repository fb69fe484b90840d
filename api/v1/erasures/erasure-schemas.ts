import * as z from 'zod'
import { text } from '../../../domain/core/text.ts'
import { ERASURE_STATUSES } from '../../../projections/models/erasures.ts'
import { EXAMPLE } from '../../openapi/examples.ts'

const count = z.int().nonnegative()
const NOT_EMPTY = { error: 'must not be empty' }
/** A misspelled filter must not widen an erasure. */
const UNKNOWN: z.core.$ZodErrorMap = ({ code, keys }) =>
  code === 'unrecognized_keys' ? `has no field ${String(keys)}: only author, accountId, before and all` : undefined

/** Whose data: of POST /erasures and its preview. */
export const erasureBody = z
  .strictObject(
    {
      author: text(500)
        .min(1, NOT_EMPTY)
        .optional()
        .describe('Comments by this author: `author` or `authorId` of GET /comments.'),
      accountId: text(100).min(1, NOT_EMPTY).optional().describe('Comments on this account.'),
      before: z.iso
        .datetime({ offset: true, error: 'must be a time such as 2026-05-31T16:00:00Z' })
        .transform((value) => new Date(value).toISOString())
        .optional()
        .describe('Comments that were received before. Default: now.'),
      all: z.literal(true, { error: 'must be true, or absent' }).optional().describe('All comments of the workspace.'),
    },
    { error: UNKNOWN },
  )
  .refine(({ all, ...filter }) => (all === true) !== Object.values(filter).some((value) => value !== undefined), {
    error: 'needs either author, accountId or before, or all set to true',
  })
  .meta({ example: { author: 'ada', accountId: EXAMPLE.account } })
export type ErasureBody = z.output<typeof erasureBody>

/** Which workspace: of POST /erasures/workspace. */
export const workspaceErasureBody = z
  .strictObject({ name: text(100).describe("The workspace's name, so that nobody erases the wrong one.") })
  .meta({ example: { name: 'demo' } })

export const workspaceErasureSchema = z
  .object({ workspaceId: z.string(), name: z.string(), requestedAt: z.iso.datetime() })
  .meta({
    id: 'WorkspaceErasure',
    examples: [{ workspaceId: 'ws_01JWB8E5H8K1N4Q7T0W3Z6C9F2', name: 'demo', requestedAt: EXAMPLE.at }],
  })

const counts = {
  comments: count,
  replies: count.describe('Replies to them, and drafts of replies.'),
  deliveries: count.describe('Webhook deliveries about either.'),
}

export const erasurePreviewSchema = z
  .object(counts)
  .meta({ id: 'ErasurePreview', examples: [{ comments: 3, replies: 1, deliveries: 8 }] })

export const erasureSchema = z
  .object({
    id: z.string(),
    status: z.enum(ERASURE_STATUSES),
    accountId: z.string().optional(),
    userId: z.string().optional().describe('Only the name of this user of the dashboard, who was removed.'),
    byAuthor: z.boolean().describe('Whether it is about one author, whose name is not kept.'),
    before: z.iso.datetime(),
    ...counts,
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().optional(),
  })
  .describe('The counts are what has been erased so far.')
  .meta({
    id: 'Erasure',
    examples: [
      {
        ...{ id: 'ers_01JWB8E5H8K1N4Q7T0W3Z6C9F2', status: 'running', accountId: EXAMPLE.account, byAuthor: true },
        ...{ before: EXAMPLE.at, comments: 3, replies: 1, deliveries: 8, createdAt: EXAMPLE.at },
      },
    ],
  })
