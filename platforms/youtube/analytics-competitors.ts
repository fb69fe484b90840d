import type { Competitor, Competitors } from '../kit/analytics.ts'
import { channelBy, type Channel } from './analytics-channels.ts'
import { channelFilter } from './analytics-handle.ts'
import { recentUploads } from './analytics-uploads.ts'

/** Public data of other channels. Finding one costs one quota unit, reading it up to five. */
export const competitors: Competitors = {
  find: async (account, handle, io) => {
    const filter = channelFilter(handle)
    const channel = filter && (await channelBy(filter, 'snippet', account, io))
    return channel && competitorOf(channel)
  },
  look: async (account, externalId, since, io) => {
    const channel = await channelBy({ id: externalId }, 'snippet,contentDetails,statistics', account, io)
    if (!channel) return undefined
    const uploads = channel.contentDetails?.relatedPlaylists.uploads
    const recent = uploads === undefined ? [] : await recentUploads(uploads, since, account, io)
    return { ...competitorOf(channel), ...channel.statistics, recent }
  },
}

/** A channel without a handle is identified by its id. */
function competitorOf({ id, snippet: { title, customUrl } }: Channel): Competitor {
  const handle = customUrl.replace(/^@/, '') || id
  return { externalId: id, handle, label: title || handle }
}
