import * as z from 'zod'
import { chainParts } from '../../../domain/post/chain-parts.ts'
import { shown } from '../../../domain/post/post-media.ts'
import type { PostContent } from '../../../domain/post/post.ts'
import { text } from '../../../domain/core/text.ts'
import { platformOptions } from '../../../platforms/post-options.ts'
import { EXAMPLE } from '../../openapi/examples.ts'
import { accountOptions, checkAccountOptions } from './account-options.ts'
import { mediaItems } from './media-items.ts'
import { awaitsApproval, makeFields, undoUntil } from './make-fields.ts'
import { checkDue, date, platformName, scheduledFor, selections, time, timezone } from './post-schemas.ts'

export const MOST_PARTS = 25

/** A part, of which the text may still be missing. */
export const partFields = z.object({
  text: text(70_000).default(''),
  textOverrides: z
    .record(platformName, text(70_000))
    .optional()
    .describe('Platform key to the text that replaces that of the part there.'),
  media: mediaItems.optional(),
})

const part = partFields.refine((of) => of.text.trim() !== '' || of.media !== undefined, {
  path: ['text'],
  error: 'is required, or media',
})

export const chainFields = {
  parts: z
    .array(part)
    .min(1, { error: 'must not be empty' })
    .max(MOST_PARTS, { error: `has more than ${MOST_PARTS} parts` })
    .describe('One part is a post; each further one is a reply to the part before it.'),
  selections,
  platformOptions: platformOptions.optional(),
  accountOptions: accountOptions.optional(),
}
type ChainBody = Pick<
  z.output<z.ZodObject<typeof chainFields>>,
  'parts' | 'selections' | 'platformOptions' | 'accountOptions'
>

const THREAD = {
  parts: [{ text: 'Why our rye bread takes three days.' }, { text: 'Day one: the sourdough wakes up.' }],
  selections: { bluesky: [EXAMPLE.account] },
}

/** Without defaults: what has none of them is published now. */
const due = z.object({
  date: date.optional(),
  time: time.optional(),
  timezone: timezone.optional(),
  scheduledFor: scheduledFor.optional(),
})

export function hasDue(fields: z.output<typeof due>): boolean {
  return Object.keys(due.shape).some((name) => fields[name as keyof typeof fields] !== undefined)
}

/** Body of POST /posts/chain. */
export const chainBody = z
  .object({ ...chainFields, ...due.shape, ...makeFields })
  .superRefine(checkAccountOptions)
  .check((payload) => {
    if (hasDue(payload.value)) checkDue(payload)
  })
  .meta({ required: ['parts', 'selections'], example: THREAD })

/** Body of POST /posts/chain/preview. */
export const chainPreviewBody = z
  .object({ ...chainFields, scheduledFor: scheduledFor.optional() })
  .superRefine(checkAccountOptions)
  .meta({ required: ['parts', 'selections'], example: THREAD })

export const queuedChainSchema = z
  .object({
    runId: z.string(),
    id: z.string(),
    queued: z.boolean().describe('false: it is scheduled, or awaits approval.'),
    scheduledAtUtc: z.iso.datetime().optional().describe('Only if it is scheduled.'),
    awaitsApproval,
    undoUntil,
  })
  .meta({ id: 'QueuedChain', examples: [{ runId: EXAMPLE.post, id: EXAMPLE.post, queued: true }] })

export function contentOfChain({ parts, ...of }: ChainBody): Omit<PostContent, 'workspaceId'> {
  const [first, ...more] = parts
  return {
    ...shown(first?.media ?? []),
    caption: first?.text ?? '',
    captionOverrides: first?.textOverrides ?? {},
    hashtags: [],
    ...(more.length > 0 && { chain: more }),
    ...of,
  }
}

/** The same as in a request. */
export function givenParts(content: Parameters<typeof chainParts>[0]): ChainBody['parts'] {
  return chainParts(content).map(({ media, ...part }) => (media.length > 0 ? { ...part, media } : part))
}
