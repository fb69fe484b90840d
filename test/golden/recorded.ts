import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { streamKinds } from '../../domain/log/event-kinds.ts'
import { versionOf } from '../../event-log/codec.ts'
import { MIGRATIONS } from '../../infra/postgres/migrate.ts'

/** What must stay as it was once a data folder may depend on it. */
export interface Recorded {
  /** The JSON schema of each version of each type: `post/PostQueued/1`. */
  readonly schemas: Readonly<Record<string, unknown>>
  /** The SHA-256 of each migration's SQL, by name. */
  readonly migrations: Readonly<Record<string, string>>
}

export const RECORDED = new URL('recorded.json', import.meta.url)

export function recorded(): Recorded {
  return JSON.parse(readFileSync(RECORDED, 'utf8')) as Recorded
}

/** One line each, so that a difference is easy to see. */
export function asText({ schemas, migrations }: Recorded): string {
  const lines = (entries: object) =>
    Object.entries(entries)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(',\n')
  return `{"schemas": {\n${lines(schemas)}\n}, "migrations": {\n${lines(migrations)}\n}}\n`
}

/** The same of this version's code: the current version of each type, and all migrations. */
export function current(): Recorded {
  const schemas = Object.values(streamKinds).flatMap((format) =>
    Object.entries(format.events).map(([type, schema]) => {
      const { $schema: _, ...shape } = schema.toJSONSchema()
      return [`${format.category}/${type}/${versionOf(format, type)}`, shape]
    }),
  )
  const migrations = MIGRATIONS.map(({ name, sql }) => [
    name,
    createHash('sha256').update([sql].flat().join('\n')).digest('hex'),
  ])
  return { schemas: Object.fromEntries(schemas), migrations: Object.fromEntries(migrations) }
}
