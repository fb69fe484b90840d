import * as z from 'zod'
import { VISIBILITIES } from '../../../domain/post/draft.ts'
import type { DraftRow } from '../../../projections/models/drafts.ts'
import { EXAMPLE } from '../../openapi/examples.ts'
import { shown } from '../../kit/shown.ts'
import { clearable } from '../posts/post-changes.ts'
import { checkMedia } from '../posts/media-items.ts'
import { allowDuplicate, DUE, dueBody, postFields } from '../posts/post-schemas.ts'

const visibility = z
  .enum(VISIBILITIES)
  .describe('private: only its author sees it, the API key or the user. workspace: everybody in the workspace does.')

/** The content of a post, of which anything may be missing; null removes a field. */
const draftFields = clearable(postFields)
const EXAMPLE_BODY = { caption: 'Fresh from the', visibility: 'private' as const }

export const createDraftBody = z
  .object({ ...draftFields, visibility: visibility.default('workspace') })
  .superRefine(checkMedia)
  .meta({ example: EXAMPLE_BODY })
export const saveDraftBody = z
  .object({ ...draftFields, visibility: visibility.optional() })
  .superRefine(checkMedia)
  .meta({ example: EXAMPLE_BODY })

export const draftSchema = z
  .object({
    id: z.string(),
    visibility,
    postId: z.string().optional().describe('The post that it became.'),
    ...draftFields,
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
  return shown(draftSchema, { ...content, ...row } as never)
}

export const scheduleDraftBody = dueBody.safeExtend({ allowDuplicate }).meta({ example: DUE })
export const publishDraftBody = z.object({ allowDuplicate }).optional()

export const draftedPostSchema = z
  .object({
    id: z.string().describe('The post.'),
    draftId: z.string(),
    scheduledAtUtc: z.iso.datetime().optional().describe('Only while it is scheduled.'),
  })
  .meta({ id: 'DraftedPost', examples: [{ id: EXAMPLE.post, draftId: 'draft_01JWB4R7T0W3Z6C9F2H5K8N1Q4' }] })
