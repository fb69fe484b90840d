import type { PostEvent } from './post-events.ts'
import type { PublishResult, PublishResults } from './publish-result.ts'
import { derivedUlid } from '../core/ids.ts'
import { isPlatformKey } from '../core/platform.ts'
import type { Metadata } from '../core/event.ts'
import { asText } from '../core/text.ts'
import { followUpResults, isFollowUpEvent, type FollowUp, type FollowUpResults } from './follow-up.ts'

type Selections = Readonly<Record<string, readonly string[]>>

/** The results after an event. Returns the same object when the event does not affect them. */
export function evolveResults(
  results: PublishResults,
  selections: Selections,
  event: PostEvent,
  metadata: Pick<Metadata, 'at'>,
): PublishResults {
  if (isFollowUpEvent(event)) return withFurther(results, event.data, (item) => followUpResults(item, event, metadata))
  switch (event.type) {
    case 'PlatformRefused':
      return withResult(results, selections, event.data.platform, { ok: false, error: event.data.error })
    case 'AccountPublished': {
      const { platform, accountId, note, chain } = event.data
      if (chain && chain.published.length < chain.parts) return results
      const { postId, url } = chain?.published[0] ?? event.data
      const further = {
        ...(url !== undefined && { url }),
        ...(chain && { parts: chain.published }),
        ...(note !== undefined && { note }),
      }
      return withResult(results, selections, platform, { accountId, ok: true, postId, ...further })
    }
    case 'AccountPublishFailed': {
      const { platform, accountId, code, chain } = event.data
      const unknown = code === 'unknown' ? { outcome: 'unknown' as const } : {}
      const error = chain ? asText(`${partName(chain)}: ${event.data.error}`, 2000) : event.data.error
      const parts = chain && chain.published.length > 0 ? { parts: chain.published } : {}
      return withResult(results, selections, platform, { accountId, ok: false, error, ...unknown, ...parts })
    }
    case 'FirstCommentPosted':
      return withFurther(results, event.data, () => ({ firstComment: { ok: true } }))
    case 'FirstCommentFailed':
      return withFurther(results, event.data, () => ({ firstComment: { ok: false, error: event.data.error } }))
    case 'RetryRequested':
      return withoutResults(results, event.data)
    default:
      return results
  }
}

/** Names the part of a chain that comes next. */
function partName({ parts, published }: { readonly parts: number; readonly published: readonly unknown[] }): string {
  return `Part ${published.length + 1} of ${parts}`
}

/** A post and its further parts on each of its accounts. */
export function publishedParts(
  results: PublishResults,
): readonly { readonly accountId: string; readonly postId: string }[] {
  return Object.values(results)
    .flat()
    .flatMap((result) => {
      const parts = result.parts ?? (result.ok ? [result] : [])
      return parts.map(({ postId }) => ({ accountId: result.accountId ?? '', postId }))
    })
}

/** Finds a post by what it is on an account; of one length, whatever ids a platform has. */
export function publishedKey(accountId: string, postId: string): string {
  return derivedUlid('published', accountId, postId)
}

/** How many accounts of a post have succeeded, have failed, and have no result yet. */
export interface ResultSummary {
  readonly succeeded: number
  readonly failed: number
  readonly pending: number
}

/** A platform that is unknown, or selected without an account, counts as one account: it gets one result, a failure. */
export function summaryOf(selections: Selections, results: PublishResults): ResultSummary {
  const items = Object.values(results).flat()
  const succeeded = items.filter(({ ok }) => ok).length
  const pending = Object.entries(selections).reduce((sum, [platform, ids]) => {
    const targets = isPlatformKey(platform) && ids.length > 0 ? [...new Set(ids)] : [undefined]
    const settled = itemsOf(results, platform).map(({ accountId }) => accountId)
    return sum + targets.filter((id) => !settled.includes(id)).length
  }, 0)
  return { succeeded, failed: items.length - succeeded, pending }
}

/** The caller names the platform: `constructor` must not find an inherited property. */
function itemsOf<Item>(lists: Readonly<Record<string, readonly Item[]>>, platform: string): readonly Item[] {
  return Object.hasOwn(lists, platform) ? (lists[platform] ?? []) : []
}

/** Keeps items in selection order, whichever account settled first. */
function withResult(
  results: PublishResults,
  selections: Selections,
  platform: string,
  item: PublishResult,
): PublishResults {
  const selected = itemsOf(selections, platform)
  const place = ({ accountId }: PublishResult) => (accountId === undefined ? -1 : selected.indexOf(accountId))
  const items = [...itemsOf(results, platform), item].sort((a, b) => place(a) - place(b))
  return { ...results, [platform]: items }
}

function withFurther(
  results: PublishResults,
  { platform, accountId }: { readonly platform: string; readonly accountId: string },
  further: (item: FollowUpResults) => Partial<Pick<Extract<PublishResult, { ok: true }>, 'firstComment' | FollowUp>>,
): PublishResults {
  const items = itemsOf(results, platform).map((item) =>
    item.accountId === accountId && (item.ok || item.parts) ? { ...item, ...further(item) } : item,
  )
  return { ...results, [platform]: items }
}

function withoutResults(
  results: PublishResults,
  { platform, accountIds }: { readonly platform: string; readonly accountIds: readonly string[] },
): PublishResults {
  const kept = itemsOf(results, platform).filter((item) => !item.accountId || !accountIds.includes(item.accountId))
  return { ...results, [platform]: kept }
}

/** The most characters of results in one event: the log accepts events of 256 KiB, and a character may take three bytes. */
const MOST_CHARACTERS = 60_000
const ERROR_LENGTHS = [2_000, 300, 60]

/** Fits results into an event. With very many accounts, truncates errors and notes, then drops links, and finally keeps only the counts. */
export function fitted(results: PublishResults): PublishResults {
  const cut = (length: number) => mapped(results, (item) => withWordsCut(item, length))
  const unlinked = mapped(cut(ERROR_LENGTHS.at(-1) ?? 0), (item) => {
    const { parts: _, ...whole } = item
    if (!whole.ok) return whole
    const { url: __, ...rest } = whole
    return rest
  })
  const versions = [...ERROR_LENGTHS.map(cut), unlinked]
  return versions.find((version) => JSON.stringify(version).length <= MOST_CHARACTERS) ?? {}
}

function withWordsCut(item: PublishResult, length: number): PublishResult {
  const { unpublish } = item
  const deletion = unpublish?.error !== undefined && {
    unpublish: { ...unpublish, error: asText(unpublish.error, length) },
  }
  if (!item.ok) return { ...item, error: asText(item.error, length), ...deletion }
  const { firstComment, note, edit } = item
  return {
    ...item,
    ...(edit?.error !== undefined && { edit: { ...edit, error: asText(edit.error, length) } }),
    ...(note !== undefined && { note: asText(note, length) }),
    ...(firstComment?.error !== undefined && {
      firstComment: { ...firstComment, error: asText(firstComment.error, length) },
    }),
    ...deletion,
  }
}

function mapped(results: PublishResults, change: (item: PublishResult) => PublishResult): PublishResults {
  return Object.fromEntries(Object.entries(results).map(([platform, items]) => [platform, items.map(change)]))
}
