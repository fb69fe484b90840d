import * as z from 'zod'
import type { PostMetrics } from '../../domain/analytics/metrics.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { videoCounts } from './analytics-counts.ts'
import { listAs } from './call.ts'
import { readable } from './comment.ts'
import { pageAnswer } from './page.ts'

/** The maximum number of videos per call. */
export const VIDEOS_PER_CALL = 50

const VIDEO_ID = /^[\w-]+$/
const counted = z.object({ id: z.string().min(1), statistics: videoCounts.catch({}) })

/**
 * The public counts of any videos. Videos that YouTube does not have are absent.
 *
 * @param videoIds at most `VIDEOS_PER_CALL`
 * @throws PlatformError
 */
export async function metricsOf(
  account: PlatformAccount,
  videoIds: readonly string[],
  io: PlatformIo,
): Promise<ReadonlyMap<string, PostMetrics>> {
  const ids = videoIds.filter((id) => VIDEO_ID.test(id))
  if (ids.length === 0) return new Map()
  const { items } = await listAs(account, 'videos', { part: 'statistics', id: ids.join(',') }, pageAnswer, io)
  return new Map(readable(counted, items).map(({ id, statistics }) => [id, statistics]))
}
