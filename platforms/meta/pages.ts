import * as z from 'zod'
import { PlatformError } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import type { GraphApi } from './api.ts'
import type { Session } from './graph.ts'

/** A paginated list. */
export interface Edge<Item> {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly item: z.ZodType<Item>
  /** Maximum number of items per page. */
  readonly limit: number
}

/** Makes one call with the account's token, so that a token that expires between two pages is renewed. */
export type UnderToken = <T>(work: (session: Session) => Promise<T>) => Promise<T>

/**
 * Streams the pages of a list.
 *
 * @throws PlatformError
 */
export type Pages = <Item>(edge: Edge<Item>, underToken: UnderToken, io: RestIo) => AsyncGenerator<readonly Item[]>

/** More pages than any list that is read to its end. */
const MOST_PAGES = 500

const paging = z
  .object({ next: z.string().optional(), cursors: z.object({ after: z.string().optional() }).optional() })
  .optional()

/**
 * @param isLinked whether a page links to the next one, so that an empty page need not be the last; otherwise the list ends
 * with an empty page, or with a cursor that is missing or repeated
 */
export function graphPages({ graph, name }: Pick<GraphApi<never>, 'graph' | 'name'>, isLinked: boolean): Pages {
  const endless = () => new PlatformError('retryable', `${name} returned a list that does not end.`)
  return async function* ({ path, query, item, limit }, underToken, io) {
    const answer = z.object({ data: z.array(item), paging })
    let after: string | undefined
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const whole = { ...query, limit: String(limit), ...(after !== undefined && { after }) }
      const call = { method: 'GET', path, query: whole } as const
      const { data, paging } = await underToken((session) => graph(session, call, answer, io))
      yield data
      const next = paging?.cursors?.after
      const goesOn = next !== undefined && next !== after
      if (isLinked ? paging?.next === undefined : data.length === 0 || !goesOn) return
      if (!goesOn) throw endless()
      after = next
    }
    throw endless()
  }
}

/** Parses a malformed item as undefined, so that it does not fail the whole page. */
export function orOdd<Item>(item: z.ZodType<Item>): z.ZodType<Item | undefined> {
  return z.union([item, z.unknown().transform(() => undefined)])
}

export function withoutOdd<Item>(items: readonly (Item | undefined)[]): readonly Item[] {
  return items.filter((item) => item !== undefined)
}
