import type { Ids } from '../../system/ids.ts'
import { GraphRefusal } from './refusal.ts'

/** A route with an id in its path. */
export interface ById {
  Params: { id: string }
}

export const CONTAINER = '179'
export const MEDIA = '180'
export const COMMENT = '178'

/** Seventeen digits, the first three of which say what it names: too many for a number of JavaScript's. */
export function newId(kind: string, ids: Ids): string {
  return kind + digits(14, ids)
}

export function digits(count: number, ids: Ids): string {
  const random = BigInt(`0x${ids.token().replaceAll('-', '').slice(-16)}`) % 10n ** BigInt(count)
  return String(random).padStart(count, '0')
}

/** Written as the Graph API writes it: whole seconds, no colon in the offset. */
export function graphTime(iso: string): string {
  return `${iso.slice(0, 19)}+0000`
}

/** What was asked for of an object by `fields`, as `id,from{id,username}`. @throws GraphRefusal for one it has not */
export function pick(object: Readonly<Record<string, unknown>>, fields: string | undefined): object {
  const names = (fields ?? 'id').replaceAll(/\{[^}]*\}/g, '').split(',')
  const strange = names.find((name) => !Object.hasOwn(object, name))
  if (strange !== undefined) {
    throw new GraphRefusal({ code: 100, message: `(#100) Tried accessing nonexisting field (${strange})` })
  }
  const wanted = Object.entries(object).filter(([name]) => name === 'id' || names.includes(name))
  return Object.fromEntries(wanted.filter(([, value]) => value !== undefined))
}

/** One page of a list, and how to get at the next. @param after the id of the last one seen */
export function pageOf<T extends { readonly id: string }>(
  all: readonly T[],
  { after, limit, url }: { after: string | undefined; limit: number; url: string },
  shown: (item: T) => object,
): object {
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
  const page = all.slice(start, start + limit)
  const [first, last] = [page[0], page.at(-1)]
  if (!first || !last) return { data: [] }
  const next = start + limit < all.length ? { next: `${url}?after=${last.id}` } : {}
  return { data: page.map(shown), paging: { cursors: { before: first.id, after: last.id }, ...next } }
}
