import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { AS_STORED } from '../../event-log/codec.ts'
import { createEventKeys } from '../../event-log/postgres/event-keys.ts'
import { postgresLog } from '../../event-log/postgres/log.ts'
import { createLogTree, type LogTree } from '../../event-log/tree/log-tree.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import { vaultOf, type World } from './world.ts'

const VERIFIER = fileURLToPath(new URL('../../docs/verify-proof.mjs', import.meta.url))

/** The tree as one process opens it. @param db another database connection, such as one that fails */
export function treeOf(world: Pick<World, 'db' | 'signals' | 'clock'>, db: Database = world.db): LogTree {
  const { signals, clock } = world
  const vault = vaultOf({ db: world.db })
  return createLogTree({
    ...{ db, vault, now: clock.now },
    keys: createEventKeys({ db: world.db, vault, now: clock.now }),
    stored: postgresLog({ db: world.db, signals, clock, codec: AS_STORED }),
  })
}

/** Changes the log as somebody who may do anything to the database. */
export async function tampered({ db }: Pick<World, 'db'>, statement: string): Promise<void> {
  await db.query(
    `alter table log.events disable trigger user; ${statement}; alter table log.events enable trigger user`,
  )
}

/** What the script for strangers says about a proof. */
export interface Verdict {
  readonly code: number
  readonly output: string
}

/** A folder for proofs, and the script to verify them with. */
export async function givenVerifier(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-proof-'))
  t.teardown(() => rm(folder, { recursive: true }))
  // As a stranger has it: outside a package.
  const script = join(folder, 'verify-proof.mjs')
  await copyFile(VERIFIER, script)
  const verified = (file: string, ...args: readonly string[]) =>
    new Promise<Verdict>((resolve) =>
      execFile(process.execPath, [script, file, ...args], (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
      ),
    )
  return {
    path: (name: string) => join(folder, name),
    read: async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8')),
    verified,
    verifiedAs: async (proof: unknown, ...args: readonly string[]) => {
      const file = join(folder, 'changed.json')
      await writeFile(file, JSON.stringify(proof))
      return verified(file, ...args)
    },
  }
}

/** Copies of a JSON value, each with another of its parts changed, and the path of that part. */
export function* changes(value: unknown, path = ''): Generator<{ readonly path: string; readonly value: unknown }> {
  if (typeof value === 'object' && value !== null) {
    const copy = (change: (to: Record<string, unknown>) => void) => {
      const to = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
      change(to)
      return to
    }
    for (const [name, part] of Object.entries(value)) {
      for (const changed of changes(part, `${path}.${name}`)) {
        yield { path: changed.path, value: copy((to) => (to[name] = changed.value)) }
      }
    }
    return
  }
  if (typeof value === 'number') yield { path, value: value + 1 }
  else if (typeof value === 'boolean') yield { path, value: !value }
  else if (typeof value === 'string') {
    // The last character of base64 may be changed without changing the bytes.
    const padding = value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0
    const at = Math.max(0, value.length - padding - 1)
    yield { path, value: value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1) }
  } else yield { path, value: 0 }
}
