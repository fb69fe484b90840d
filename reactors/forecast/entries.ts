import { account } from '../../domain/account/account.ts'
import { eventOf, parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import { isPlatformKey, PLATFORM_NAMES } from '../../domain/core/platform.ts'
import { FORECAST_KINDS, type Forecast, type ForecastEntry } from '../../domain/post/forecast.ts'
import type { PostEvent } from '../../domain/post/post-events.ts'
import { post, targetId, type TargetKey } from '../../domain/post/post.ts'
import { recyclingRule } from '../../domain/recycling/recycling-rule.ts'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Ledger } from './ledger.ts'

type Entry = { -readonly [Field in keyof ForecastEntry]: ForecastEntry[Field] }

/** One post that waits on one account. Times in ms since the epoch. */
interface Wait extends TargetKey {
  readonly postId: string
  readonly since: number
  readonly reason: string
  until: number
}

/** Turns what happens in a rehearsal into the entries of a forecast. */
export interface Entries {
  on(event: RecordedEvent): void
  /** A post is looked at again at `until` (ms since the epoch). @param reason where no event has told it */
  postponed(
    postId: string,
    key: TargetKey,
    times: { readonly now: number; readonly until: number },
    reason?: string,
  ): void
  add(entry: ForecastEntry): void
  result(): Pick<Forecast, 'entries' | 'totals'>
}

const RESTING = 'The platform accepts nothing from the account for a while.'

/** @param labelOf the name of an account */
export function forecastEntries(ledger: Ledger, labelOf: (accountId: string) => string | undefined): Entries {
  const entries: Entry[] = []
  const waits: Wait[] = []
  /** Those that have not ended, by post and account. */
  const waiting = new Map<string, Wait>()
  const published = new Map<string, Entry>()
  /** Why accounts rest. */
  const rests = new Map<string, string>()
  let commentsUsd = 0

  const where = ({ platform, accountId }: TargetKey): string => {
    const name = isPlatformKey(platform) ? PLATFORM_NAMES[platform] : platform
    const label = labelOf(accountId)
    return label === undefined ? name : `${name} as ${label}`
  }
  const postponed: Entries['postponed'] = (postId, key, { now, until }, reason) => {
    const id = `${postId} ${targetId(key)}`
    // Only its first comment waits.
    if (published.has(id)) return
    const known = waiting.get(id)
    if (known) return void (known.until = until)
    const { platform, accountId } = key
    const wait = { platform, accountId, postId, since: now, until, reason: reason ?? rests.get(accountId) ?? RESTING }
    waits.push(wait)
    waiting.set(id, wait)
  }
  const ended = (postId: string, key: TargetKey, at: number) => {
    const id = `${postId} ${targetId(key)}`
    const wait = waiting.get(id)
    if (wait) wait.until = at
    waiting.delete(id)
  }

  const onPost = (postId: string, event: PostEvent, at: string) => {
    const about = { at, postIds: [postId] }
    switch (event.type) {
      case 'AccountPublished': {
        const { platform, accountId, chain } = event.data
        if (chain && chain.published.length < chain.parts) return
        ended(postId, event.data, Date.parse(at))
        const usd = ledger.bill(accountId)
        const sentence = `Published on ${where(event.data)}.`
        const entry: Entry = {
          ...about,
          kind: 'published',
          platform,
          accountId,
          sentence,
          ...(usd !== undefined && { usd }),
        }
        entries.push(entry)
        published.set(`${postId} ${targetId(event.data)}`, entry)
        return
      }
      case 'FirstCommentPosted': {
        const usd = ledger.bill(event.data.accountId) ?? 0
        const entry = published.get(`${postId} ${targetId(event.data)}`)
        if (entry && usd > 0) entry.usd = (entry.usd ?? 0) + usd
        else commentsUsd += usd
        return
      }
      case 'AccountPublishFailed': {
        const { platform, accountId, error } = event.data
        ended(postId, event.data, Date.parse(at))
        // Of the parts of a chain that are out.
        const usd = ledger.bill(accountId)
        const sentence = `Fails on ${where(event.data)}: ${error}`
        entries.push({ ...about, kind: 'fails', platform, accountId, sentence, ...(usd !== undefined && { usd }) })
        return
      }
      case 'PlatformRefused':
        entries.push({ ...about, kind: 'fails', platform: event.data.platform, sentence: `Fails: ${event.data.error}` })
        return
      case 'PublishDeferred':
        postponed(postId, event.data, { now: Date.parse(at), until: Date.parse(event.data.retryAt) }, event.data.error)
        return
      case 'PostHeld':
        entries.push({ ...about, kind: 'held', sentence: 'Held: nobody has approved the post.' })
        return
      default:
        return
    }
  }

  return {
    on: (recorded) => {
      const { at } = recorded.metadata
      const { id } = parseStreamName(recorded.stream)
      const ofPost = eventOf(post, recorded)
      if (ofPost) return onPost(id, ofPost, at)
      const ofAccount = eventOf(account, recorded)
      if (ofAccount?.type === 'AccountRested') rests.set(id, ofAccount.data.reason)
      const ofRule = eventOf(recyclingRule, recorded)
      if (ofRule?.type !== 'RecycleFailed') return
      entries.push({ at, kind: 'fails', postIds: [], ruleId: id, sentence: `Not recycled: ${ofRule.data.error}` })
    },
    postponed,
    add: (entry) => void entries.push(entry),
    result: () => {
      const all = [...entries, ...grouped(waits).map(told)].toSorted(inOrder)
      const count = (kind: Entry['kind']) => entries.filter((entry) => entry.kind === kind).length
      const usd = commentsUsd + entries.reduce((sum, entry) => sum + (entry.usd ?? 0), 0)
      const totals = {
        ...{ published: count('published'), waits: waits.length, fails: count('fails'), held: count('held') },
        usd: Math.round(usd * 1e6) / 1e6,
      }
      return { entries: all, totals }
    },
  }
}

/** Posts of an account that wait at the same time, for the same reason. */
function grouped(waits: readonly Wait[]): readonly (readonly Wait[])[] {
  const groups: Wait[][] = []
  const open = new Map<string, { readonly waits: Wait[]; until: number }>()
  for (const wait of waits) {
    const key = `${targetId(wait)} ${wait.reason}`
    const group = open.get(key)
    if (group && wait.since <= group.until) {
      group.waits.push(wait)
      group.until = Math.max(group.until, wait.until)
    } else {
      const begun = [wait]
      groups.push(begun)
      open.set(key, { waits: begun, until: wait.until })
    }
  }
  return groups
}

function told(waits: readonly Wait[]): ForecastEntry {
  const [first] = waits
  if (!first) throw new Error('nothing waits')
  const { platform, accountId, since, reason } = first
  const postIds = [...new Set(waits.map(({ postId }) => postId))]
  const count = postIds.length === 1 ? 'One post waits' : `${postIds.length} posts wait`
  const until = isoTime(Math.max(...waits.map(({ until }) => until)))
  return { at: isoTime(since), kind: 'waits', platform, accountId, postIds, sentence: `${reason} ${count}.`, until }
}

function inOrder(one: ForecastEntry, other: ForecastEntry): number {
  return compared(one.at, other.at) || compared(keyOf(one), keyOf(other))
}

function keyOf({ kind, platform = '', accountId = '', postIds, ruleId = '' }: ForecastEntry): string {
  return [FORECAST_KINDS.indexOf(kind), platform, accountId, postIds[0] ?? '', ruleId].join(' ')
}

function compared(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
