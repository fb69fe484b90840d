import * as z from 'zod'
import { chainParts } from '../../../domain/post/chain-parts.ts'
import { text } from '../../../domain/core/text.ts'
import { VISIBILITIES } from '../../../domain/post/draft.ts'
import type { DraftRow } from '../../../projections/models/drafts.ts'
import { EXAMPLE } from '../../openapi/examples.ts'
import { shown } from '../../kit/shown.ts'
import { MOST_PARTS, partFields } from '../posts/chain-schemas.ts'
import { checkMedia } from '../posts/media-items.ts'
import { clearable } from '../posts/post-changes.ts'
import { awaitsApproval, makeFields, undoUntil } from '../posts/make-fields.ts'
import { DUE, dueBody, postFields, shownParts } from '../posts/post-schemas.ts'
import { previewSchema } from '../posts/preview-schemas.ts'

const visibility = z
  .enum(VISIBILITIES)
  .describe('private: only its author sees it, the API key or the user. workspace: everybody in the workspace does.')

/** The content of a post, of which anything may be missing; null removes a field. */
const draftFields = {
  ...clearable(postFields),
  parts: z
    .array(partFields)
    .min(1, { error: 'must not be empty' })
    .max(MOST_PARTS, { error: `has more than ${MOST_PARTS} parts` })
    .nullable()
    .optional()
    .describe('Only of a chain: all parts. The first replaces the caption and media, and null leaves only that.'),
}
const EXAMPLE_BODY = { caption: 'Fresh from the', visibility: 'private' as const }

export const createDraftBody = z
  .object({ ...draftFields, visibility: visibility.default('workspace') })
  .superRefine(checkMedia)
  .superRefine(checkParts)
  .meta({ example: EXAMPLE_BODY })
export const saveDraftBody = z
  .object({ ...draftFields, visibility: visibility.optional() })
  .superRefine(checkMedia)
  .superRefine(checkParts)
  .meta({ example: EXAMPLE_BODY })

export const draftSchema = z
  .object({
    id: z.string(),
    visibility,
    postId: z.string().optional().describe('The post that it became.'),
    ...draftFields,
    parts: shownParts,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({
    id: 'Draft',
    examples: [
      {
        id: 'draft_01JWB4R7T0W3Z6C9F2H5K8N1Q4',
        ...EXAMPLE_BODY,
        createdAt: EXAMPLE.at,
        updatedAt: EXAMPLE.at,
      },
    ],
  })

export function presentDraft({ content, ...row }: DraftRow) {
  const { mediaUrl = '', mediaType = 'text', media, caption = '', captionOverrides = {}, chain } = content
  const parts = chain && chainParts({ mediaUrl, mediaType, media, caption, captionOverrides, chain })
  return shown(draftSchema, { ...content, ...row, parts } as never)
}

type Parts = z.output<typeof draftFields.parts>

/** The fields of a draft as they are kept: the first part of a chain is the caption and the media. */
export function keptFields({
  parts,
  ...fields
}: {
  readonly parts?: Parts
  readonly captionOverrides?: object | null | undefined
}): object {
  if (!parts) return { ...fields, ...(parts === null && { chain: null }) }
  const [first, ...chain] = parts
  return {
    ...fields,
    caption: first?.text,
    captionOverrides: first?.textOverrides ?? fields.captionOverrides ?? null,
    media: first?.media ?? null,
    chain: chain.length > 0 ? chain : null,
  }
}

function checkParts(body: { readonly parts?: Parts }, context: z.core.$RefinementCtx): void {
  const other = ['caption', 'media', 'mediaUrl', 'mediaType'].find((name) => name in body)
  if (!body.parts || other === undefined) return
  context.addIssue({
    code: 'custom',
    path: ['parts'],
    message: `must not be given with ${other}: the first part has it`,
  })
}

const makeDraftFields = {
  ...makeFields,
  plan: text(100)
    .optional()
    .describe(
      'The id of the plan that previewDraft returned: refused with failed_precondition if the draft was changed since, or the ' +
        'plan has expired.',
    ),
}
export const scheduleDraftBody = dueBody.safeExtend(makeDraftFields).meta({ example: DUE })
export const publishDraftBody = z.object(makeDraftFields).optional()

const PLAN = 'plan_01JWB4R7T0W3Z6C9F2H5K8N1Q4_maw1k2x0_9f86d081884c7d659a2f'

export const draftPreviewSchema = z
  .object({
    ...previewSchema.omit({ scheduledAtUtc: true }).shape,
    needsApproval: z.boolean().describe('Whether what you publish from it waits until somebody else approves it.'),
    plan: z.object({
      id: z.string().describe('publishDraft and scheduleDraft take it, and then publish exactly what was previewed.'),
      expiresAt: z.iso.datetime(),
    }),
  })
  .meta({
    id: 'DraftPreview',
    examples: [{ previews: [], needsApproval: false, plan: { id: PLAN, expiresAt: EXAMPLE.at } }],
  })

export const draftedPostSchema = z
  .object({
    id: z.string().describe('The post.'),
    draftId: z.string(),
    scheduledAtUtc: z.iso.datetime().optional().describe('Only while it is scheduled.'),
    awaitsApproval,
    undoUntil,
  })
  .meta({ id: 'DraftedPost', examples: [{ id: EXAMPLE.post, draftId: 'draft_01JWB4R7T0W3Z6C9F2H5K8N1Q4' }] })
