import type { PostEvent } from './post-events.ts'
import type { PublishResult, PublishResults } from './publish-result.ts'
import { asText } from '../core/text.ts'

type Selections = Readonly<Record<string, readonly string[]>>

/** What is known of each account after an event. The same results when it says nothing of them. */
export function evolveResults(results: PublishResults, selections: Selections, event: PostEvent): PublishResults {
  switch (event.type) {
    case 'PlatformRefused':
      return withResult(results, selections, event.data.platform, { ok: false, error: event.data.error })
    case 'AccountPublished': {
      const { platform, accountId, postId, url } = event.data
      const item = { accountId, ok: true, postId, ...(url === undefined ? {} : { url }) } as const
      return withResult(results, selections, platform, item)
    }
    case 'AccountPublishFailed': {
      const { platform, accountId, error, code } = event.data
      const unknown = code === 'unknown' ? { outcome: 'unknown' as const } : {}
      return withResult(results, selections, platform, { accountId, ok: false, error, ...unknown })
    }
    case 'FirstCommentPosted':
      return withFirstComment(results, event.data, { ok: true })
    case 'FirstCommentFailed':
      return withFirstComment(results, event.data, { ok: false, error: event.data.error })
    case 'RetryRequested':
      return withoutResults(results, event.data)
    default:
      return results
  }
}

/** A platform is named by the caller: `constructor` must not find what every object has. */
function itemsOf<Item>(lists: Readonly<Record<string, readonly Item[]>>, platform: string): readonly Item[] {
  return Object.hasOwn(lists, platform) ? (lists[platform] ?? []) : []
}

/** Items stand in the order of the selection, whichever account settled first. */
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

function withFirstComment(
  results: PublishResults,
  { platform, accountId }: { readonly platform: string; readonly accountId: string },
  firstComment: { ok: boolean; error?: string },
): PublishResults {
  const items = itemsOf(results, platform).map((item) =>
    item.ok && item.accountId === accountId ? { ...item, firstComment } : item,
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

/** Most characters of results within one event; the log takes events of 256 KiB, and a character may take three bytes. */
const MOST_CHARACTERS = 60_000
const ERROR_LENGTHS = [2_000, 300, 60]

/** Results that fit into an event: of very many accounts errors are cut, then links left out, at last all but the counts. */
export function fitted(results: PublishResults): PublishResults {
  const cut = (length: number) => mapped(results, (item) => withErrorCut(item, length))
  const unlinked = mapped(cut(ERROR_LENGTHS.at(-1) ?? 0), (item) => {
    if (!item.ok) return item
    const { url: _, ...rest } = item
    return rest
  })
  const versions = [...ERROR_LENGTHS.map(cut), unlinked]
  return versions.find((version) => JSON.stringify(version).length <= MOST_CHARACTERS) ?? {}
}

function withErrorCut(item: PublishResult, length: number): PublishResult {
  if (!item.ok) return { ...item, error: asText(item.error, length) }
  const { firstComment } = item
  if (firstComment?.error === undefined) return item
  return { ...item, firstComment: { ...firstComment, error: asText(firstComment.error, length) } }
}

function mapped(results: PublishResults, change: (item: PublishResult) => PublishResult): PublishResults {
  return Object.fromEntries(Object.entries(results).map(([platform, items]) => [platform, items.map(change)]))
}
