import * as z from 'zod'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import { count, known } from '../kit/counts.ts'
import { hasStatus } from '../kit/errors.ts'
import type { Api } from './api.ts'
import { reportOn } from './analytics-report.ts'

const recent = z.object({ impression: count, pin_click: count, clickthrough: count })
const ever = recent.extend({ comment: count, reaction: count })

const pin = z
  .object({
    media: z.object({ media_type: z.string() }).nullish().catch(undefined),
    pin_metrics: z
      .object({ '90d': recent.catch({}), lifetime_metrics: ever.catch({}) })
      .nullish()
      .catch(undefined),
  })
  .transform(({ media, pin_metrics }) => {
    const { '90d': lately = {}, lifetime_metrics: ever = {} } = pin_metrics ?? {}
    const metrics: PostMetrics = known({
      impressions: lately.impression ?? ever.impression,
      pinClicks: lately.pin_click ?? ever.pin_click,
      outboundClicks: lately.clickthrough ?? ever.clickthrough,
      comments: ever.comment,
      reactions: ever.reaction,
    })
    return { isVideo: media?.media_type === 'video', metrics }
  })

/**
 * The metrics of one Pin: its report, completed with the numbers on the Pin itself. Reading the Pin also shows whether it
 * is a video; other Pins have no views.
 *
 * @param now milliseconds since the epoch
 * @returns undefined if Pinterest does not have the Pin, or has no numbers for it yet
 * @throws PlatformError
 */
export async function metricsOfPin(id: string, now: number, api: Api): Promise<PostMetrics | undefined> {
  const path = `/pins/${encodeURIComponent(id)}`
  const shown = await api({ method: 'GET', path: `${path}?pin_metrics=true` }, pin).catch(unlessGone)
  if (!shown) return undefined
  const report = await reportOn(path, shown.isVideo, now, api).catch((error: unknown) => {
    // Reports are not available to all accounts, nor in Pinterest's sandbox.
    if (isRefused(error, [403, 404]) && hasAny(shown.metrics)) return {}
    return unlessGone(error)
  })
  const metrics = { ...shown.metrics, ...report }
  return hasAny(metrics) ? metrics : undefined
}

function hasAny(metrics: PostMetrics): boolean {
  return Object.keys(metrics).length > 0
}

function unlessGone(error: unknown): undefined {
  if (!isRefused(error, [404])) throw error
}

function isRefused(error: unknown, statuses: readonly number[]): boolean {
  return hasStatus(error, ...statuses) && error.kind === 'permanent'
}
