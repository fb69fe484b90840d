import { refusal } from './refusal.ts'

/**
 * @param fields the names requested, separated by commas
 * @throws StandInRefusal 400 for a field that the object does not have
 */
export function only(object: object, fields: string): object {
  const names = fields.split(',')
  const unknown = names.find((name) => !Object.hasOwn(object, name))
  if (unknown !== undefined) throw refusal('invalid_params', `fields: ${unknown} is not known`)
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
}
