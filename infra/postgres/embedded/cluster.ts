import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chown, link, lstat, readdir, readFile, readlink, realpath, rm, rmdir } from 'node:fs/promises'
import { stat, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../../runtime/clock.ts'
import { canReach, exists, hasCode, ownSystemFolder, publish, sync, workFolder, type Account } from './binaries.ts'
import { childOptions, sendSignal } from './server.ts'

/** A fully created database cluster (Postgres's term for everything that one server serves). */
export interface Cluster {
  /** The real path of the data. */
  readonly folder: string
  /** The password of the role `fanfare`. */
  readonly password: string
  readonly account: Account | undefined
}

export interface Creation {
  readonly dataDir: string
  /** Where the data goes if the account cannot reach `dataDir`. */
  readonly systemDir: string
  readonly programs: (account: Account | undefined) => Promise<string>
  readonly log: (message: string) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Time limit (ms) for each program that creates a cluster; it takes about one second on an idle machine. */
const CREATION_LIMIT_MS = 180_000

/** Settings that the operator may change in postgresql.conf; the fixed ones are in `server.ts`. */
const EDITABLE_SETTINGS = [
  'shared_buffers=64MB',
  'max_connections=100',
  'max_wal_size=1GB',
  // 64 MB does not need huge pages, and a container without an allowance for them kills any process that touches one.
  'huge_pages=off',
  // Parallel queries share memory through /dev/shm, which is 64 MB in a container.
  'max_parallel_workers_per_gather=0',
]

const runsAsRoot = () => process.geteuid?.() === 0
const entryOf = (dataDir: string) => join(dataDir, 'postgres')
const passwordFileOf = (dataDir: string) => join(dataDir, 'postgres.password')

/** The cluster of this data directory, if there is one. @throws Error if it cannot be used */
export async function findCluster(dataDir: string): Promise<Cluster | undefined> {
  const folder = await resolveEntry(entryOf(dataDir))
  if (folder === undefined) return undefined
  const { uid, gid } = await stat(folder)
  if (!runsAsRoot() && uid !== process.geteuid?.()) {
    throw new Error(
      `The database in ${folder} belongs to the user with id ${uid}: run Fanfare as that user, or as root.`,
    )
  }
  if (!(await exists(join(folder, 'PG_VERSION')))) {
    if ((await readdir(folder)).length === 0) return undefined
    throw new Error(`${folder} is not empty, and does not contain the data of a Postgres server.`)
  }
  if (uid === 0) {
    throw new Error(`${folder} belongs to root, but Postgres does not run as root: give it to another user (chown -R).`)
  }
  const password = await readPassword(dataDir)
  if (password === undefined) {
    throw new Error(`${passwordFileOf(dataDir)} is missing: the database in ${folder} cannot be opened without it.`)
  }
  return { folder, password, account: runsAsRoot() ? { name: `the user with id ${uid}`, uid, gid } : undefined }
}

async function resolveEntry(entry: string): Promise<string | undefined> {
  try {
    return await realpath(entry)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  const target = await readlink(entry).catch(() => undefined)
  if (target === undefined) return undefined
  throw new Error(
    `${entry} links to the database in ${target}, which is missing. Restore it, or delete the link to start over.`,
  )
}

/**
 * Creates the cluster in a work folder, renamed only once everything is on disk: a crash leaves nothing half-made, and two
 * processes that create it at once end up with the same cluster.
 */
export async function createCluster(creation: Creation): Promise<Cluster> {
  const { dataDir, log } = creation
  const account = runsAsRoot() ? await unprivilegedAccount() : undefined
  const programs = await creation.programs(account)
  const password = await keepPassword(dataDir)
  const entry = entryOf(await realpath(dataDir))
  const folder = account ? await placeFor(account, password, creation) : entry
  if (!(await exists(join(folder, 'PG_VERSION')))) {
    log('creating the database (first start only)')
    await initialise(folder, programs, account, password, creation)
  }
  if (folder !== entry) await pointTo(folder, entry)
  const cluster = await findCluster(dataDir)
  if (!cluster) throw new Error(`The database that was created in ${folder} is missing.`)
  return cluster
}

/** No account is created for this: one of these comes with the system. */
async function unprivilegedAccount(): Promise<Account> {
  const accounts = await readFile('/etc/passwd', 'utf8')
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(-?\\d+):(-?\\d+):`, 'm').exec(accounts) ?? []
    if (uid !== undefined && gid !== undefined) return { name, uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('Postgres does not run as root, and there is no user "postgres" or "nobody" to run it as.')
}

/**
 * Where the account can keep the data. Outside `dataDir`, the name also depends on the password: deleting `dataDir` to start over
 * gives a new database, not one whose password is lost.
 */
async function placeFor(account: Account, password: string, creation: Creation): Promise<string> {
  const { systemDir, log } = creation
  const dataDir = await realpath(creation.dataDir)
  if (await canReach(dataDir, account)) return entryOf(dataDir)
  await ownSystemFolder(systemDir)
  if (!(await canReach(systemDir, account))) {
    throw new Error(`The user ${account.name} cannot access ${dataDir} or ${systemDir}: choose another DATA_DIR.`)
  }
  const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)
  const prefix = `data-${hash(dataDir)}-`
  const name = `${prefix}${hash(password)}`
  const folder = join(systemDir, name)
  log(`the user ${account.name} cannot access ${dataDir}: the database is kept in ${folder}`)
  for (const other of await readdir(systemDir)) {
    if (other.startsWith(prefix) && other !== name)
      log(`${join(systemDir, other)} contains an earlier database of this folder`)
  }
  return folder
}

async function pointTo(folder: string, entry: string): Promise<void> {
  const isLink = (await lstat(entry).catch(() => undefined))?.isSymbolicLink()
  if (isLink === false) await rmdir(entry)
  try {
    await symlink(folder, entry)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  await sync(dirname(entry))
}

/** The superuser has no password, so nobody can log in as it; single-user mode remains for repairs. */
async function initialise(
  folder: string,
  programs: string,
  account: Account | undefined,
  password: string,
  { clock, signal }: Creation,
): Promise<void> {
  const work = await workFolder(dirname(folder), basename(folder))
  const [data, passwordFile] = [join(work, 'data'), join(work, 'superuser')]
  const run = (program: string, args: readonly string[], input = '') =>
    complete(join(programs, program), [...args, '-D', data], { account, input, clock, signal })
  try {
    await writeFile(passwordFile, randomBytes(32).toString('base64url'), { mode: 0o600 })
    if (account) await Promise.all([work, passwordFile].map((path) => chown(path, account.uid, account.gid)))
    await run('initdb', [
      ...['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`],
      ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ...EDITABLE_SETTINGS.map((setting) => `--set=${setting}`),
      ...['--no-instructions', '--no-sync'],
    ])
    const statements = [
      'alter role postgres password null',
      `create role fanfare login createdb password '${password}'`,
      'grant pg_monitor to fanfare',
      'create database fanfare owner fanfare',
    ]
    await run('postgres', ['--single', '-F', '-c', 'exit_on_error=on', 'postgres'], `${statements.join('\n')}\n`)
    await run('initdb', ['--sync-only'])
    await publish(data, folder)
  } finally {
    await rm(work, { recursive: true, force: true, maxRetries: 3 })
  }
}

interface Run {
  readonly account: Account | undefined
  readonly input: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Runs a program to completion. @throws Error with the end of its output if it fails or times out */
async function complete(
  program: string,
  args: readonly string[],
  { account, input, clock, signal }: Run,
): Promise<void> {
  signal.throwIfAborted()
  const child = spawn(program, args, childOptions(account))
  let output = ''
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4096))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  // A dead program reads nothing; its exit status says more than the broken pipe.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)

  const ended = new AbortController()
  const limit = clock.sleep(CREATION_LIMIT_MS, AbortSignal.any([ended.signal, signal])).then(() => {
    if (!ended.signal.aborted && child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL')
  })
  const outcome = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, killed) => resolve(code === 0 ? '' : `exited with ${code ?? killed}`))
  })
  ended.abort()
  await limit
  signal.throwIfAborted()
  if (outcome) throw new Error(`Creating the database failed: ${basename(program)} ${outcome}\n${output.trim()}`)
}

async function readPassword(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(passwordFileOf(dataDir), 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The password of this data directory: the first one that any process stored. */
async function keepPassword(dataDir: string): Promise<string> {
  const known = await readPassword(dataDir)
  if (known !== undefined) return known
  const work = await workFolder(dataDir, 'postgres')
  try {
    const file = join(work, 'password')
    await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
    await sync(file)
    await link(file, passwordFileOf(dataDir))
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  await sync(dataDir)
  return keepPassword(dataDir)
}
