import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { UseInfiniteQueryResult, InfiniteData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Page } from '../client/types.ts'
import { Button } from './buttons.tsx'
import { Loading, Problem } from './shown.tsx'

/** A paged list: its items, a message when it is empty, and more on demand. */
export function List<P extends Page, Item>(props: {
  readonly query: UseInfiniteQueryResult<InfiniteData<P>>
  readonly items: (page: P) => readonly Item[]
  readonly empty: ReactNode
  readonly children: (items: readonly Item[]) => ReactNode
}) {
  const { query, items, empty, children } = props
  if (query.isPending) return <Loading />
  if (!query.data)
    return <Problem error={query.error ?? new Error(t`Nothing was loaded.`)} onRetry={() => void query.refetch()} />
  const all = query.data.pages.flatMap(items)
  return (
    <>
      {query.error && <Problem error={query.error} onRetry={() => void query.refetch()} />}
      {all.length === 0 ? empty : children(all)}
      {query.hasNextPage && (
        <div className="more">
          <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
            <Trans>Show more</Trans>
          </Button>
        </div>
      )}
    </>
  )
}

/** Like `List`, with each item in its own `<li>`. */
export function ItemList<P extends Page, Item>({
  children,
  ...list
}: Omit<Parameters<typeof List<P, Item>>[0], 'children'> & { readonly children: (item: Item) => ReactNode }) {
  return <List {...list}>{(items) => <ul className="items">{items.map(children)}</ul>}</List>
}
