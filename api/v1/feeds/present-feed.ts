import type * as z from 'zod'
import { Refusal } from '../../../domain/core/errors.ts'
import { isLive, type FeedState } from '../../../domain/feed/rss-feed.ts'
import { shown } from '../../kit/shown.ts'
import { feedSchema } from './feed-schemas.ts'

export type ShownFeed = z.infer<typeof feedSchema>

/** Fields that are not part of a feed's own events. */
type Counted = Pick<ShownFeed, 'postedCount' | 'lastCheckedAt'>

/** A feed from its stream: it shows the command's result even if the read model lags. */
export function presentState(id: string, state: FeedState, { postedCount, lastCheckedAt }: Counted): ShownFeed {
  if (!isLive(state)) throw new Refusal('not_found', 'No such feed.')
  return shown(feedSchema, { id, ...state, active: state.status === 'active', postedCount, lastCheckedAt })
}
