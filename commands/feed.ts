import { Refusal } from '../domain/core/errors.ts'
import { asText } from '../domain/core/text.ts'
import { isLive, type FeedEvent, type FeedState, type LiveFeed, type Seeding } from '../domain/feed/rss-feed.ts'

type DataOf<Type extends FeedEvent['type']> = Extract<FeedEvent, { type: Type }>['data']

/** Adding the same feed again is a no-op. */
export function addFeed(state: FeedState, command: DataOf<'FeedAdded'>): readonly FeedEvent[] {
  return state.status === 'absent' ? [{ type: 'FeedAdded', data: command }] : []
}

/** @throws Refusal not_found when it was deleted */
export function changeFeed(state: FeedState, change: Omit<DataOf<'FeedChanged'>, 'workspaceId'>): readonly FeedEvent[] {
  const { workspaceId, ...feed } = mustBeThere(state)
  const before: Readonly<Record<string, unknown>> = { ...feed, active: state.status === 'active' }
  const news = Object.entries(change).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before[name]),
  )
  return news.length === 0 ? [] : [{ type: 'FeedChanged', data: { workspaceId, ...Object.fromEntries(news) } }]
}

/** @throws Refusal not_found when it was deleted before */
export function deleteFeed(state: FeedState): readonly FeedEvent[] {
  mustBeThere(state)
  return [{ type: 'FeedDeleted', data: {} }]
}

/** @throws Refusal failed_precondition while it is paused */
export function requestFeedCheck(state: FeedState): readonly FeedEvent[] {
  if (mustBeThere(state).status === 'active') return [{ type: 'FeedCheckRequested', data: {} }]
  throw new Refusal('failed_precondition', 'The feed is paused: set active to true first.')
}

/** Records the outcome of a check, if it differs from the last one. */
export function feedChecked(
  state: FeedState,
  outcome: { readonly error: string } | { readonly seeded?: Seeding },
): readonly FeedEvent[] {
  if (!isLive(state)) return []
  if ('error' in outcome) {
    // It may quote the feed server's response.
    const error = asText(outcome.error, 2_000)
    return state.lastError === error ? [] : [{ type: 'FeedCheckFailed', data: { error } }]
  }
  const recovered: FeedEvent[] = state.lastError === undefined ? [] : [{ type: 'FeedRecovered', data: {} }]
  if (outcome.seeded === undefined || state.seeded) return recovered
  return [...recovered, { type: 'FeedSeeded', data: outcome.seeded }]
}

function mustBeThere(state: FeedState): LiveFeed {
  if (isLive(state)) return state
  throw new Refusal('not_found', 'No such feed.')
}
