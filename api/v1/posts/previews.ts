import { Refusal } from '../../../domain/core/errors.ts'
import type { PreviewItem, PreviewRequest } from '../../../domain/post/post-preview.ts'
import type { Services } from '../../kit/services.ts'
import { withAltTexts } from './alt-texts.ts'
import { firstOf, freeSlots, NEXT_SLOT } from '../slots/next-slot.ts'

/** How far (ms) a forecast looks ahead. */
const FORESEEN_MS = 92 * 86_400_000
/** A preview is made while somebody types: a longer plan is not looked through for it. */
const MOST_FORESEEN = 500
/** No post has it. */
const ID = 'post_preview'

/** @param scheduledFor ISO 8601 UTC, or the next free slot */
export async function previewsOf(services: Services, request: PreviewRequest, scheduledFor: string | undefined) {
  const { workspaceId, selections } = request
  const scheduledAtUtc =
    scheduledFor === NEXT_SLOT ? firstOf(await freeSlots(services, { workspaceId, selections })).dueAt : scheduledFor
  const previews = await services.previewPost(await withAltTexts(services, workspaceId, request))
  if (scheduledAtUtc === undefined) return { previews }
  return { previews: await withForecast(services, request, previews, scheduledAtUtc), scheduledAtUtc }
}

/** Warns of what a post on an account meets at its time, among all that is planned. A post with a problem fails anyway. */
async function withForecast(
  { clock, forecastPosts }: Services,
  request: PreviewRequest,
  previews: readonly PreviewItem[],
  dueAt: string,
): Promise<readonly PreviewItem[]> {
  const now = clock.now()
  const until = Date.parse(dueAt)
  const isGood = ({ problems }: PreviewItem) => problems.length === 0
  if (until <= now || until > now + FORESEEN_MS || !previews.some(isGood)) return previews
  const { workspaceId } = request
  const added = { id: ID, content: request, dueAt }
  const forecast = await forecastPosts({ workspaceId, now, until, added, most: MOST_FORESEEN }).catch(
    (error: unknown) => {
      // A preview is also of use without it.
      if (error instanceof Refusal) return undefined
      throw error
    },
  )
  const met = (forecast?.entries ?? []).filter(
    ({ kind, postIds }) => (kind === 'waits' || kind === 'fails') && postIds.includes(ID),
  )
  return previews.map((item) => {
    const sentences = met.filter(({ accountId }) => accountId === item.accountId).map(({ sentence }) => sentence)
    return isGood(item) && sentences.length > 0
      ? { ...item, warnings: [...item.warnings, ...sentences.map((one) => `At its time: ${one}`)] }
      : item
  })
}
