import type { PreviewRequest } from '../../../domain/post/post-preview.ts'
import type { Services } from '../../kit/services.ts'
import { withAltTexts } from './alt-texts.ts'
import { firstOf, freeSlots, NEXT_SLOT } from '../slots/next-slot.ts'

/** @param scheduledFor ISO 8601 UTC, or the next free slot */
export async function previewsOf(services: Services, request: PreviewRequest, scheduledFor: string | undefined) {
  const { workspaceId, selections } = request
  const scheduledAtUtc =
    scheduledFor === NEXT_SLOT ? firstOf(await freeSlots(services, { workspaceId, selections })).dueAt : scheduledFor
  const previews = await services.previewPost(await withAltTexts(services, workspaceId, request))
  return { previews, ...(scheduledAtUtc && { scheduledAtUtc }) }
}
