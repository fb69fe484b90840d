import { feedItem } from '../../domain/feed/feed-item.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { feed, isLive } from '../../domain/feed/rss-feed.ts'
import { feedChecked } from '../../commands/feed.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { endSkipping, isSkipped } from '../../infra/postgres/restores.ts'
import type { Http } from '../../infra/http/http.ts'
import { knownItems } from '../../projections/models/feed-items.ts'
import type { FeedChecks } from './feed-checks.ts'
import { seenItem, type SeenItem } from './feed-items.ts'
import type { FeedParser } from './reading/feed-parser.ts'
import { oldestFirst } from './reading/feed.ts'
import type { FeedVersion } from './reading/fetch-feed.ts'
import { CUT_OFF } from './reading/feed-problem.ts'
import { readFeed } from './reading/read-feed.ts'
import { causedBy, processItem } from './process-item.ts'
import { olderItems, seedingOf } from './older-items.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'

export interface FeedDeps extends CommandDeps {
  readonly db: Database
  readonly http: Http
  readonly parser: FeedParser
  readonly checks: FeedChecks
}

/**
 * Checks one feed, and creates posts for its new items. A post's id derives from feed and item, so an item that was posted but
 * not recorded before a crash is not posted again.
 */
export function feedReactor(deps: FeedDeps): Reactor {
  return async ({ subject: feedId, token }, signal) => {
    const { log, clock, checks } = deps
    const before = await load(log, feed, feedId)
    if (!isLive(before) || before.status === 'paused') return DONE
    const askedAt = clock.now()
    const earlier = await checks.last(feedId)
    const reading = await readFeed(before.url, earlier, { ...deps, signal })
    const state = await load(log, feed, feedId)
    if (!isLive(state) || state.status === 'paused') return DONE
    const isFirst = state.seeded === undefined
    // A concurrent check was the first, possibly of a later document.
    if (before.seeded === undefined && !isFirst) return DONE
    const nextAt = () => park(clock.now() + state.checkIntervalMinutes * 60_000)
    const isRestored = await isSkipped(deps.db, feedId)
    const checked = async (outcome: Parameters<typeof feedChecked>[1], version: FeedVersion) => {
      const cause = causedBy(feedId, derivedId(token, 'checked'))
      await handle(deps, feed, feedId, cause, (state) => feedChecked(state, outcome))
      await checks.note(feedId, clock.now(), version)
      if (isRestored && !('error' in outcome)) await endSkipping(deps.db, feedId)
    }
    switch (reading.outcome) {
      case 'failed':
        await checked({ error: reading.error }, earlier)
        return nextAt()
      case 'not-modified':
        await checked({}, earlier)
        return nextAt()
      case 'read': {
        if (reading.isCutOff && isFirst && state.lastError !== CUT_OFF) {
          await checked({ error: CUT_OFF }, earlier)
          return nextAt()
        }
        const items = reading.items.map((item) => seenItem(feedId, item))
        const met = await metBefore(deps, feedId, items)
        const isMet = ({ id, fingerprint }: SeenItem) => met.has(id) || met.has(fingerprint)
        const older = state.seeded ? olderItems(items, isMet, state.seeded) : new Set()
        const seen = new Set(met)
        const whyNoNews = (item: SeenItem): string | undefined => {
          if (seen.has(item.fingerprint)) return SEEN_BEFORE
          if (older.has(item)) return OLDER
          return isRestored ? RESTORED : undefined
        }
        for (const item of oldestFirst(items, isMet)) {
          signal.throwIfAborted()
          const noNews = whyNoNews(item)
          if (!met.has(item.id) && !(await processItem(deps, feedId, item, { isFirst, noNews }))) return DONE
          seen.add(item.fingerprint)
        }
        // Record the version last: after a crash before this point, the same document must be read again.
        await checked(state.seeded ? {} : { seeded: seedingOf(items, reading.isWhole, askedAt) }, reading)
        return nextAt()
      }
    }
  }
}

/** The ids and fingerprints seen before. The read model may lag behind, so ids that it lacks are looked up in the log. */
async function metBefore(
  { db, log }: FeedDeps,
  feedId: string,
  items: readonly SeenItem[],
): Promise<ReadonlySet<string>> {
  const known = await knownItems(db, feedId, {
    ids: items.map(({ id }) => id),
    fingerprints: items.map(({ fingerprint }) => fingerprint),
  })
  const met = new Set(known)
  for (const { id } of items) {
    if (!known.has(id) && (await load(log, feedItem, id)).status !== 'new') met.add(id)
  }
  return met
}

const SEEN_BEFORE = 'The item was already in the feed under another id, with the same title and link.'
const RESTORED =
  'The item may already have been posted: it appeared before the service was restored from a backup, or soon after.'
const OLDER = 'The item is not new: it was in the feed when the feed was added, or is older than those that were.'
