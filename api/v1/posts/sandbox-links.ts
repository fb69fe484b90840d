import { isPlatformKey } from '../../../domain/core/platform.ts'
import type { PublishResults } from '../../../domain/post/publish-result.ts'
import { accountsAt } from '../../../projections/models/accounts.ts'
import type { PostRow } from '../../../projections/models/posts.ts'
import type { Services } from '../../kit/services.ts'

/** With links that open: what an account of the sandbox has published is on no real platform, but the sandbox shows it. */
export async function withSandboxLinks(
  { db, sandbox }: Pick<Services, 'db' | 'sandbox'>,
  rows: readonly PostRow[],
): Promise<readonly PostRow[]> {
  if (!sandbox) return rows
  const ids = rows.flatMap(({ selections }) => Object.values(selections).flat())
  const accounts = await accountsAt(db, [...new Set(ids)], sandbox.url)
  const linked = (results: PublishResults): PublishResults =>
    Object.fromEntries(
      Object.entries(results).map(([platform, items]) => {
        if (!isPlatformKey(platform)) return [platform, items]
        const pageOf = <P extends { readonly postId: string }>(published: P) => ({
          ...published,
          url: sandbox.pageOf(platform, published.postId),
        })
        const inSandbox = items.map((item) => {
          if (item.accountId === undefined || !accounts.has(item.accountId)) return item
          const parts = item.parts && { parts: item.parts.map(pageOf) }
          return item.ok ? { ...pageOf(item), ...parts } : { ...item, ...parts }
        })
        return [platform, inSandbox]
      }),
    )
  return rows.map((row) => ({ ...row, results: linked(row.results) }))
}
