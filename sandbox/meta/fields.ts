import { GraphRefusal } from './refusal.ts'

/** What was asked for of an object by `fields`, as `id,from{id,username}`. @throws GraphRefusal for one it has not */
export function pick(object: Readonly<Record<string, unknown>>, fields: string | undefined): Record<string, unknown> {
  const names = (fields ?? '')
    .replaceAll(/\{[^}]*\}/g, '')
    .split(',')
    .filter((name) => name !== '')
  const strange = names.find((name) => !Object.hasOwn(object, name))
  if (strange !== undefined) {
    throw new GraphRefusal({ code: 100, message: `(#100) Tried accessing nonexisting field (${strange})` })
  }
  const wanted = Object.entries(object).filter(([name]) => name === 'id' || names.includes(name))
  return Object.fromEntries(wanted.filter(([, value]) => value !== undefined))
}

/** Written as the Graph API writes it: whole seconds, no colon in the offset. */
export function graphTime(iso: string): string {
  return `${iso.slice(0, 19)}+0000`
}
