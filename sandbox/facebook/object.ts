import { GraphRefusal } from '../meta/refusal.ts'

/** @param status some calls say it with 404 */
export function unknownObject(id: string, status = 400): GraphRefusal {
  const message = `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`
  return new GraphRefusal({ code: 100, subcode: 33, message, status })
}

/** What was asked for of an object, as `id,from{id},attachments{target{id}}`. @throws GraphRefusal for a field it has not */
export function pick(object: Readonly<Record<string, unknown>>, fields: string | undefined): object {
  const names = topLevel(fields ?? 'id')
  const strange = names.find((name) => !Object.hasOwn(object, name))
  if (strange !== undefined) {
    throw new GraphRefusal({ code: 100, message: `(#100) Tried accessing nonexisting field (${strange})` })
  }
  const wanted = Object.entries(object).filter(([name]) => name === 'id' || names.includes(name))
  return Object.fromEntries(wanted.filter(([, value]) => value !== undefined))
}

function topLevel(fields: string): readonly string[] {
  let plain = fields
  for (let inner = ''; inner !== plain;) {
    inner = plain
    plain = plain.replaceAll(/\{[^{}]*\}/g, '')
  }
  return plain.split(',')
}
