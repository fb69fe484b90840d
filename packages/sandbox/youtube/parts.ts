import { createHash } from 'node:crypto'
import * as z from 'zod'

/** A query parameter that lists values: `id=a,b` as well as `id=a&id=b`. */
export const listed = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => [given].flat().flatMap((each) => each.split(',')))

/** The query parameter `part`, which lists the requested parts of a resource. */
export const parts = <Part extends string>(known: readonly Part[]) =>
  listed.pipe(z.array(z.enum(known, { error: ({ input }) => `'${String(input)}'` })))

/** The requested parts of a resource, as far as it has them. */
export function only({ kind, id, ...has }: Resource, part: readonly string[]): object {
  const shown = Object.fromEntries(Object.entries(has).filter(([key]) => part.includes(key)))
  return { kind, etag: etagOf({ id, ...shown }), id, ...shown }
}

export interface Resource {
  readonly kind: string
  readonly id: string
  readonly [part: string]: unknown
}

export interface PageInfo {
  readonly totalResults: number
  readonly resultsPerPage: number
}

/** The answer that lists resources. */
export function listing(
  kind: string,
  items: readonly object[],
  { next, ...pageInfo }: Partial<PageInfo> & { readonly next?: string | undefined } = {},
): object {
  return {
    kind,
    etag: etagOf(items),
    ...(next !== undefined && { nextPageToken: next }),
    pageInfo: { totalResults: items.length, resultsPerPage: items.length, ...pageInfo },
    items,
  }
}

function etagOf(shown: unknown): string {
  return createHash('sha1').update(JSON.stringify(shown)).digest('base64url')
}
