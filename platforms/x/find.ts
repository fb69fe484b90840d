import type { Outlook, PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { permalink } from './create-post.ts'
import type { Handle } from './handle.ts'
import { findOwnPost } from './own-posts.ts'

/** Looks for the account's post since the first upload that shows one of our uploads. */
export async function find(account: PlatformAccount, handle: Handle, io: PlatformIo): Promise<Outlook> {
  const ours = new Set([handle.mediaKey, ...handle.earlierKeys].map(withoutPrefix))
  const showsOurs = ({ mediaKeys }: { readonly mediaKeys: readonly string[] }): boolean =>
    mediaKeys.some((key) => ours.has(withoutPrefix(key)))
  const search = await findOwnPost(account, handle.since, showsOurs, io)
  if (search.outcome !== 'found') return search
  return { outcome: 'found', found: { postId: search.found, url: await permalink(search.found, io) } }
}

/** `7_123` and `13_123` are the same upload: the prefix is its kind, which processing may change. */
function withoutPrefix(key: string): string {
  return key.slice(key.indexOf('_') + 1)
}
