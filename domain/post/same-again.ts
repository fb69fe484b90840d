import { finalText, partText } from './caption.ts'
import { mediaOf } from './post-media.ts'
import { isLive, isQueued, targetId, type PostContent, type PostState, type TargetKey } from './post.ts'

/** Two posts of the same content to the same account within this time (ms) are the same again. */
export const SAME_WITHIN_MS = 86_400_000

/** What an account gets: the text as it is published there, and the media. */
export interface Part extends TargetKey {
  readonly text: string
  readonly mediaUrls: readonly string[]
}

export function partsOf(content: PostContent): readonly Part[] {
  const { chain = [] } = content
  const mediaUrls = [...mediaOf(content), ...chain.flatMap(({ media = [] }) => media)].map(({ url }) => url)
  const textOn = (platform: string) =>
    [finalText(content, platform), ...chain.map((part) => partText(part, platform))].join('\n\n')
  return Object.entries(content.selections).flatMap(([platform, accountIds]) =>
    [...new Set(accountIds)].map((accountId) => ({
      ...{ platform, accountId, text: textOn(platform), mediaUrls },
    })),
  )
}

/** The same for all parts that are the same again. */
export function identityOf({ platform, accountId, text, mediaUrls }: Part): string {
  return JSON.stringify([platform, accountId, text.trim(), mediaUrls])
}

/**
 * The first of these parts that an earlier post has published or will publish, at about the same time. An account on which it has
 * failed does not count, unless the outcome is unknown, nor one from which it was deleted.
 *
 * @param at when the parts are published, in ms
 */
export function sameAgain(parts: readonly Part[], at: number, earlier: PostState): Part | undefined {
  const published = publishedBy(earlier)
  if (!published || Math.abs(published.at - at) >= SAME_WITHIN_MS) return undefined
  const identities = new Set(published.parts.map(identityOf))
  return parts.find((part) => identities.has(identityOf(part)))
}

function publishedBy(state: PostState): { readonly parts: readonly Part[]; readonly at: number } | undefined {
  if (isQueued(state)) {
    const parts = partsOf(state).filter((part) => {
      const target = state.targets.get(targetId(part))?.state
      if (target?.step === 'published') return isLive(target)
      return target !== undefined && (target.step !== 'failed' || target.code === 'unknown')
    })
    return { parts, at: Date.parse(state.queuedAt) }
  }
  return state.status === 'pending' ? { parts: partsOf(state.content), at: Date.parse(state.due.dueAt) } : undefined
}
