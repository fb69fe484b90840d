import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { CompetitorFacts } from '../kit/analytics.ts'
import { withToken } from '../kit/oauth-token.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { bodyOf, send, type RestCall } from '../kit/rest.ts'
import { metricsOf, VIDEOS_PER_CALL } from './analytics-metrics.ts'
import { readable } from './comment.ts'
import { refused } from './errors.ts'
import { hostsOf } from './hosts.ts'
import { pageAnswer, type Page } from './page.ts'
import { renewalAt } from './oauth.ts'
import { plainId } from '../kit/plain-id.ts'

/** 100 videos, at the maximum page size. */
const MOST_PAGES = 2

/** Private videos have no publication time, so they do not parse. */
const upload = z
  .object({
    contentDetails: z.object({ videoId: plainId, videoPublishedAt: z.iso.datetime({ offset: true }) }),
  })
  .transform(({ contentDetails: { videoId: id, videoPublishedAt } }) => ({
    id,
    createdAt: isoTime(Date.parse(videoPublishedAt)),
  }))

/**
 * The newest videos of a channel with their metrics.
 *
 * @param playlistId of the channel's uploads
 * @param since ISO 8601 UTC; older videos are left out
 * @throws PlatformError
 */
export async function recentUploads(
  playlistId: string,
  since: string,
  account: PlatformAccount,
  io: PlatformIo,
): Promise<CompetitorFacts['recent']> {
  const earliest = Date.parse(since)
  const recent: CompetitorFacts['recent'][number][] = []
  let pageToken: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await uploadsPage(playlistId, pageToken, account, io)
    const uploads = readable(upload, page?.items ?? [])
    const fresh = uploads.filter(({ createdAt }) => Date.parse(createdAt) >= earliest)
    const metrics = await metricsOf(
      account,
      fresh.map(({ id }) => id),
      io,
    )
    recent.push(
      ...fresh.flatMap((each) => {
        const counts = metrics.get(each.id)
        return counts ? [{ ...each, metrics: counts }] : []
      }),
    )
    pageToken = page?.nextPageToken
    // Newest first, so everything after an older video is older too.
    if (pageToken === undefined || fresh.length < uploads.length) break
  }
  return recent
}

/** @returns undefined if the playlist does not exist; YouTube creates it with the channel's first video */
function uploadsPage(
  playlistId: string,
  pageToken: string | undefined,
  { baseUrl }: PlatformAccount,
  io: PlatformIo,
): Promise<Page | undefined> {
  const query = new URLSearchParams({
    part: 'contentDetails',
    playlistId,
    maxResults: String(VIDEOS_PER_CALL),
    ...(pageToken !== undefined && { pageToken }),
  })
  return withToken(io, renewalAt(baseUrl), async (token) => {
    const call: RestCall = { method: 'GET', url: `${hostsOf(baseUrl).api}/playlistItems?${query}`, token }
    const response = await send('youtube', call, io)
    if (response.status === 404) return undefined
    if (response.status !== 200) throw refused(response, call.effect, io.clock)
    return bodyOf('youtube', call, response, pageAnswer)
  })
}
