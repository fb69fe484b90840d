import { handle } from '../../commands/handle.ts'
import { rotateMasterKey } from '../../commands/rotate-master-key.ts'
import { nameCurrentKey, namedKeys } from '../../infra/postgres/master-key.ts'
import { transaction } from '../../infra/postgres/pool.ts'
import { onlyOneRotates, renewDataKeys, sealedUnder } from '../../infra/postgres/rotate-keys.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { KEY_RING_ID, keyRing } from '../../domain/workspace/key-ring.ts'
import type { Core } from '../wiring/core.ts'
import type { KeyRing, MasterKey } from '../../infra/runtime/key-ring.ts'
import { commandLineCause } from './cause.ts'
import { keysOfProcesses } from './move/installation.ts'

export type RotateDeps = Pick<Core, 'log' | 'clock' | 'ids' | 'ring' | 'derivationSecret'> & {
  /** Its statements may wait for a token renewal. */
  readonly db: Core['wholeTables']
}

export interface RotatedMasterKey {
  readonly keyId: string
  readonly previousKeyId: string
  /** What is now encrypted under the key. */
  readonly workspaces: number
  readonly secrets: number
  /** What is left to do. */
  readonly next: string
}

const MAKE_A_KEY = 'openssl rand -base64 32'

/**
 * Re-encrypts everything under a new master key while the service runs. If interrupted, it may be repeated.
 *
 * @param progress called with the number of data keys replaced
 * @throws Refusal failed_precondition saying what to do
 */
export async function rotateMaster(
  deps: RotateDeps,
  progress: (dataKeys: number) => void = () => undefined,
): Promise<RotatedMasterKey> {
  const rotated = await onlyOneRotates(deps.db, () => rotate(deps, progress))
  if (!rotated) throw new Refusal('failed_precondition', 'Another process is rotating the master key.')
  return rotated
}

async function rotate(deps: RotateDeps, progress: (dataKeys: number) => void): Promise<RotatedMasterKey> {
  const { db, ring } = deps
  // On an older installation this secret is the current master key: store it before that changes.
  await deps.derivationSecret()
  await ring.reload()
  const master = await (ring.file ? madeKey(ring, ring.file) : givenKey(deps))
  await transaction(db, (client) => nameCurrentKey(client, master))
  const { left } = await renewDataKeys(db, ring, master, progress)
  const { elsewhere, workspaces, secrets } = await sealedUnder(db, master)
  if (left.length > 0 || elsewhere > 0) throw incomplete(left, elsewhere)
  const { previous } = await namedKeys(db)
  const rotation = { keyId: master.id, previousKeyId: previous ?? master.id, workspaces, secrets }
  await handle(deps, keyRing, KEY_RING_ID, commandLineCause(deps.ids), (state) => rotateMasterKey(state, rotation))
  await ring.file?.dropBefore(master.id)
  return { ...rotation, next: nextStep(ring, rotation) }
}

async function madeKey(ring: KeyRing, file: NonNullable<KeyRing['file']>): Promise<MasterKey> {
  await file.add()
  const [master] = ring.keys()
  if (!master) throw new Error(`${ring.source} contains no key`)
  return master
}

/** The first key of the setting, once every process has it. */
async function givenKey({ db, ring }: RotateDeps): Promise<MasterKey> {
  const [master, ...others] = ring.keys()
  const { current, previous } = await namedKeys(db)
  if (!master || others.length === 0) {
    const add = `Generate another with \`${MAKE_A_KEY}\`, put it before the one in use`
    const again = 'restart every process with ENCRYPTION_KEY=<new>,<in use>, and run this again'
    throw new Refusal('failed_precondition', `ENCRYPTION_KEY has one key. ${add}, ${again}.`)
  }
  if (current === master.id && !others.some(({ id }) => id === previous)) {
    const order = `ENCRYPTION_KEY begins with the key in use, ${master.id}`
    throw new Refusal('failed_precondition', `${order}: put the new key first, ENCRYPTION_KEY=<new>,<in use>.`)
  }
  const lacking = (await keysOfProcesses(db)).filter((ids) => !ids.includes(master.id)).length
  if (lacking > 0) {
    const which = `${lacking} running processes do not have the key ${master.id} yet`
    throw new Refusal('failed_precondition', `${which}: restart them with the same ENCRYPTION_KEY, and run this again.`)
  }
  return master
}

/** Nothing is lost: what was left still decrypts with its previous keys. */
function incomplete(left: readonly string[], elsewhere: number): Refusal {
  const [first = ''] = left
  const what = `${elsewhere} workspaces are not encrypted under the new key. The first: ${first}`
  const how = 'If its key is lost, see "A lost key" in docs/operations.md. Keep all keys, and run this again.'
  return new Refusal('failed_precondition', `${what}. ${how}`)
}

function nextStep(
  { file, source }: KeyRing,
  { keyId, previousKeyId }: { keyId: string; previousKeyId: string },
): string {
  const backups = `Earlier backups need ${previousKeyId}.`
  return file
    ? `Back up ${source}, separately from the database. ${backups}`
    : `Restart every process with only the key ${keyId} in ENCRYPTION_KEY. ${backups}`
}
