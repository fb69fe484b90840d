import * as z from 'zod'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { channelCounts } from './analytics-counts.ts'
import type { ChannelFilter } from './analytics-handle.ts'
import { listAs } from './call.ts'

/** A channel, with the fields of the requested parts. */
const channel = z.object({
  id: z.string().min(1),
  snippet: z
    .object({ title: z.string().catch(''), customUrl: z.string().catch('') })
    .catch({ title: '', customUrl: '' }),
  contentDetails: z
    .object({ relatedPlaylists: z.object({ uploads: z.string().min(1) }) })
    .optional()
    .catch(undefined),
  statistics: channelCounts.catch({}),
})
export type Channel = Readonly<z.infer<typeof channel>>

const channelsAnswer = z.object({ items: z.array(channel).default([]) })

/**
 * Reads any channel.
 *
 * @param parts such as `snippet,statistics`
 * @returns undefined if there is no such channel
 * @throws PlatformError
 */
export async function channelBy(
  filter: ChannelFilter,
  parts: string,
  account: PlatformAccount,
  io: PlatformIo,
): Promise<Channel | undefined> {
  const { items } = await listAs(account, 'channels', { part: parts, ...filter }, channelsAnswer, io)
  return items[0]
}
