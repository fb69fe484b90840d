import type { StandInRefusal } from '../stand-in-refusal.ts'
import { graphRefusal } from './refusal.ts'

/** A requested field: `from{id,name}`, `comments.limit(25){id}`. */
export interface Field {
  readonly name: string
  readonly modifiers: Readonly<Record<string, string>>
  /** Its subfields; undefined: the default ones. */
  readonly fields: readonly Field[] | undefined
}

/** A list attached to an object; its content depends on how it is requested. */
export type Edge = (field: Field) => object

type Shown = Readonly<Record<string, unknown>>

/**
 * @param fields as `id,from{id,username}`
 * @throws StandInRefusal for a field that the object does not have
 */
export function pick(object: Shown, fields: string | readonly Field[] | undefined): Record<string, unknown> {
  const asked = typeof fields === 'string' ? fieldsIn(fields) : (fields ?? [])
  const strange = asked.find(({ name }) => !Object.hasOwn(object, name))
  if (strange) {
    throw graphRefusal({ code: 100, message: `(#100) Tried accessing nonexisting field (${strange.name})` })
  }
  const all = [['id', object['id']], ...asked.map((field) => [field.name, valueOf(object[field.name], field)])]
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

function valueOf(value: unknown, field: Field): unknown {
  if (isEdge(value)) return value(field)
  if (!field.fields || !isPlain(value)) return value
  const names = field.fields.map(({ name }) => name)
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
}

function isEdge(value: unknown): value is Edge {
  return typeof value === 'function'
}

/** An object that is not a list. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('data' in value)
}

const FIELD = /^([a-z0-9_]+)((?:\.[a-z_]+\([^()]*\))*)/
const MODIFIER = /\.([a-z_]+)\(([^()]*)\)/g

function fieldsIn(text: string): readonly Field[] {
  if (text === '') return []
  const { fields, rest } = readFields(text)
  if (rest === '') return fields
  throw syntaxError(rest)
}

function readFields(text: string): { readonly fields: readonly Field[]; readonly rest: string } {
  const { field, rest } = readField(text)
  if (!rest.startsWith(',')) return { fields: [field], rest }
  const others = readFields(rest.slice(1))
  return { fields: [field, ...others.fields], rest: others.rest }
}

function readField(text: string): { readonly field: Field; readonly rest: string } {
  const [whole = '', name, modified = ''] = FIELD.exec(text) ?? []
  if (name === undefined) throw syntaxError(text)
  const modifiers = Object.fromEntries([...modified.matchAll(MODIFIER)].map(([, key = '', value = '']) => [key, value]))
  const rest = text.slice(whole.length)
  if (!rest.startsWith('{')) return { field: { name, modifiers, fields: undefined }, rest }
  const inner = readFields(rest.slice(1))
  if (!inner.rest.startsWith('}')) throw syntaxError(inner.rest)
  return { field: { name, modifiers, fields: inner.fields }, rest: inner.rest.slice(1) }
}

function syntaxError(rest: string): StandInRefusal {
  return graphRefusal({ code: 2500, message: `Syntax error "Expected end of string instead of "${rest}"."` })
}

/** The Graph API's time format: whole seconds, no colon in the offset. */
export function graphTime(iso: string): string {
  return `${iso.slice(0, 19)}+0000`
}
