import * as z from 'zod'
import type { RestIo } from '../kit/rest.ts'
import type { GraphCalls, Session } from './graph.ts'

const PAGE = 50

const paging = z.object({ next: z.string().optional(), cursors: z.object({ after: z.string() }).optional() }).optional()

export interface Edge<Item> {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly item: z.ZodType<Item>
  readonly mostPages: number
  /** Whether an item is too old: the list ends with a page of only such items. */
  readonly isPast?: (item: Item) => boolean
}

/**
 * All items of a paginated list. An empty page is not necessarily the last.
 *
 * @returns undefined when the list could not be read to its end, as when it exceeds `mostPages`
 * @throws PlatformError
 */
export async function listOf<Item>(
  { graph }: Pick<GraphCalls, 'graph'>,
  { path, query, item, mostPages, isPast = () => false }: Edge<Item>,
  session: Session,
  io: RestIo,
): Promise<readonly Item[] | undefined> {
  const answer = z.object({ data: z.array(item), paging })
  const items: Item[] = []
  let after: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const call = {
      method: 'GET',
      path,
      query: { ...query, limit: String(PAGE), ...(after !== undefined && { after }) },
    } as const
    const { data, paging } = await graph(session, call, answer, io)
    const wanted = data.filter((each) => !isPast(each))
    items.push(...wanted)
    const isLast = data.length > 0 && wanted.length === 0
    if (paging?.next === undefined || isLast) return items
    // `next` is a complete URL, but lacks a token that was sent in the header: the cursor is used instead.
    after = paging.cursors?.after
    if (after === undefined) return undefined
  }
  return undefined
}
