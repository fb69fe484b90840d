import type { Competitor, Competitors } from '../kit/analytics.ts'
import { channelFacts } from './analytics-counts.ts'
import { recentOf } from './analytics-feed.ts'
import { profileOf, type Profile } from './analytics-profile.ts'
import { didSchema } from './identity.ts'

/** Other accounts as the app shows them to this one. A blocked account sees no posts. */
export const competitors: Competitors = {
  find: async (account, handle, io) => {
    const actor = actorIn(handle)
    const profile = actor === undefined ? undefined : await profileOf(actor, account, io)
    return profile && competitorOf(profile)
  },
  look: async (account, externalId, since, io) => {
    const profile = didSchema.safeParse(externalId).success ? await profileOf(externalId, account, io) : undefined
    if (!profile) return undefined
    const recent = await recentOf(profile.did, since, account, io)
    return { ...competitorOf(profile), ...channelFacts(profile), recent }
  },
}

const HANDLE = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const MOST_HANDLE_CHARS = 253
const PAGE = /^(?:https?:\/\/)?(?:www\.)?bsky\.app\/profile\/([^/?#]+)/i
/** Invisible format characters: the app wraps a copied handle in text-direction marks. */
const UNSEEN = /\p{Cf}/gu

/** @returns a handle or a DID; undefined if the input is neither */
function actorIn(handle: string): string | undefined {
  const given = handle.replaceAll(UNSEEN, '').trim()
  const actor = (PAGE.exec(given)?.[1] ?? given).replace(/^@/, '')
  if (didSchema.safeParse(actor).success) return actor
  const name = actor.toLowerCase()
  return name.length <= MOST_HANDLE_CHARS && HANDLE.test(name) ? name : undefined
}

function competitorOf({ did, handle, displayName }: Profile): Competitor {
  return { externalId: did, handle, label: displayName.trim() || handle }
}
