import type { Database } from '../../../infra/postgres/pool.ts'
import { holdsOf } from '../../../infra/postgres/holds.ts'
import type { End, Header } from './format.ts'

/*
 * The name of an import's hold (`infra/postgres/holds.ts`) says which file it is for and whose events: `import <SHA-256> of
 * <workspace>`.
 */

export const WHOLE_LOG = 'all'
const NAME = /^import (\S+) of (\S+)$/

export interface BegunImport {
  /** The hold's name. */
  readonly hold: string
  /** The SHA-256 of the file. */
  readonly sha256: string
  /** The workspace's id, or `WHOLE_LOG`. */
  readonly of: string
  /** ISO 8601 UTC. */
  readonly since: string
}

export function importHold({ workspace }: Header, { sha256 }: End): string {
  return `import ${sha256} of ${workspace?.id ?? WHOLE_LOG}`
}

/** The unfinished import. There is at most one. */
export async function importUnderWay(db: Database): Promise<BegunImport | undefined> {
  for (const { name: hold, since } of await holdsOf(db)) {
    const [, sha256, of] = NAME.exec(hold) ?? []
    if (sha256 !== undefined && of !== undefined) return { hold, sha256, of, since }
  }
  return undefined
}
