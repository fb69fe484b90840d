import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientBase, Pool } from 'pg'
import type { Test } from 'tap'
import { adoptSealedAnswers } from '../../api/http/idempotency.ts'
import type { RotateDeps } from '../../app/cli/rotate-master.ts'
import { derivationSecret } from '../../infra/postgres/derivation-secret.ts'
import { migrate } from '../../infra/postgres/migrate.ts'
import { openPool } from '../../infra/postgres/pool.ts'
import { createVault, type Vault } from '../../infra/postgres/vault.ts'
import { START, type EventLog } from '../../event-log/event-log.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { ownKeyRing } from '../../infra/runtime/encryption-key.ts'
import type { KeyRing } from '../../infra/runtime/key-ring.ts'
import { memoryLog } from './memory-log.ts'
import { emptyDatabase } from './postgres.ts'
import { ids } from './sandbox.ts'

/** What outlives a process that has master keys. */
export interface Installation {
  readonly db: Pool
  readonly connectionString: string
  readonly log: EventLog
  readonly dataDir: string
}

export async function givenInstallation(t: Test): Promise<Installation> {
  // Nobody else listens there, as a process of the service would.
  const connectionString = await emptyDatabase(t)
  await migrate(connectionString)
  const db = openPool(connectionString, { max: 8, name: 'test', onError: () => undefined })
  t.teardown(() => db.end())
  const dataDir = await mkdtemp(join(tmpdir(), 'fanfare-keys-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  return { db, connectionString, log: memoryLog(), dataDir }
}

/** What a process of the service has of it. Without a ring: that of the data folder. */
export async function processOf(
  { db, log, dataDir }: Installation,
  given?: KeyRing,
): Promise<{ readonly vault: Vault; readonly rotation: RotateDeps }> {
  const ring = given ?? (await ownKeyRing(dataDir))
  const vault = createVault(db, ring)
  const derivation = () =>
    derivationSecret(
      { db, vault, ring },
      async () => (await log.head()) === START,
      (master) => adoptSealedAnswers(db, vault, ids, master),
    )
  return { vault, rotation: { db, log, clock: systemClock, ids, ring, derivationSecret: derivation } }
}

/** A rotation that dies at its nth act (from 0) on the database, the log or the file, before it or after it. */
export function mortal(rotation: RotateDeps, nth = Infinity, moment: 'before' | 'after' = 'before') {
  const acts: string[] = []
  let dead = false
  const act = async <T>(name: string, effect: () => Promise<T>): Promise<T> => {
    const dies = !dead && acts.push(name) - 1 === nth
    dead ||= dies && moment === 'before'
    if (dead) throw new Error('the process is dead')
    const result = await effect()
    dead ||= dies
    if (dead) throw new Error('the process is dead')
    return result
  }
  const querying = <T extends Pick<ClientBase, 'query'>>(target: T, more: Partial<T> = {}): T =>
    new Proxy(target, {
      get: (_, name) => {
        if (name === 'query') {
          return (...args: readonly [string]) => act(args[0], async () => Reflect.apply(target.query, target, args))
        }
        const found: unknown = more[name as keyof T] ?? Reflect.get(target, name)
        return typeof found === 'function' ? found.bind(target) : found
      },
    })
  const { db, log, ring } = rotation
  const { file } = ring
  const deps: RotateDeps = {
    ...rotation,
    db: querying(db, { connect: (async () => querying(await db.connect())) as Pool['connect'] }),
    log: { ...log, append: (...args) => act('append', () => log.append(...args)) },
    ring: {
      ...ring,
      ...(file && {
        file: { add: () => act('add', file.add), dropBefore: (id) => act('drop', () => file.dropBefore(id)) },
      }),
    },
  }
  return { deps, acts }
}
