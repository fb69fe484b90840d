import { createReadStream } from 'node:fs'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { hasCode } from '../../../infra/postgres/embedded/binaries.ts'
import { isKnownLevel, LEVEL } from '../../../infra/postgres/migrate.ts'
import { Refusal } from '../../../domain/core/errors.ts'
import { packageVersion } from '../../../infra/runtime/package-root.ts'

const FORMAT = 1
const MANIFEST = 'manifest.json'
/** A file name, optionally with folders inside the backup: nothing that leads out of it. */
const FILE = /^(?:[\w-][\w.-]*\/){0,2}[\w-][\w.-]*$/

const digits = z.string().regex(/^\d+$/)
const sequenceSchema = z.object({ schema: z.string(), name: z.string(), value: z.string() })
const fileSchema = z.object({
  /** Relative to the backup's folder, with slashes. */
  name: z.string().regex(FILE),
  bytes: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The table, for a file of rows. */
  table: z
    .object({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()).readonly(),
      rows: z.number().int().min(0),
    })
    .optional(),
})
const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** The version that made the backup. */
  fanfare: z.string(),
  /** The last migration of the database. */
  level: z.string(),
  createdAt: z.iso.datetime(),
  /** Null if the log was empty. */
  log: z.object({ firstEvent: z.string(), position: digits, events: z.number().int() }).nullable(),
  /** Whether the file `encryption.key` is in the backup, or the key was in the environment. */
  key: z.enum(['included', 'environment']),
  /** Whether generated media are in the backup, or in a bucket. */
  media: z.enum(['included', 'bucket']),
  sequences: z.array(sequenceSchema).readonly(),
  files: z.array(fileSchema).readonly(),
})
/** Matches any format, including later ones. */
const originSchema = z.object({ format: z.number(), fanfare: z.string(), level: z.string() })

export type Manifest = z.infer<typeof manifestSchema>
export type BackupFile = z.infer<typeof fileSchema>

/** Written last: a folder without it is not a backup. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const draft = join(folder, `${MANIFEST}.part`)
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify({ format: FORMAT, ...manifest })}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, join(folder, MANIFEST))
}

export async function hasManifest(folder: string): Promise<boolean> {
  return (await manifestText(folder)) !== undefined
}

/** @throws Refusal if it is not a finished backup, or one that this version cannot read */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await manifestText(folder)
  if (text === undefined) {
    throw refusal(
      (await isFolder(folder))
        ? `${folder} is not a finished backup: it has no ${MANIFEST}. Choose another one.`
        : `There is no folder ${folder}. Give the folder of a backup; fanfare restore --help lists the other commands.`,
    )
  }
  const found = parsed(text)
  const origin = originSchema.safeParse(found).data
  if (origin && (origin.format > FORMAT || !isKnownLevel(origin.level))) {
    throw refusal(
      `The backup was made by Fanfare ${origin.fanfare} (database ${origin.level}); this is ${packageVersion()} (database ${LEVEL}). Install ${origin.fanfare} or a later version, then restore.`,
    )
  }
  const manifest = manifestSchema.safeParse(found)
  if (!manifest.success) throw refusal(`${join(folder, MANIFEST)} cannot be read: ${z.prettifyError(manifest.error)}`)
  return manifest.data
}

/**
 * Reads every file of a backup.
 *
 * @param progress called with the number of bytes read
 * @throws Refusal listing the missing or changed files
 */
export async function checkFiles(
  folder: string,
  { files }: Manifest,
  progress: (bytes: number) => void = () => undefined,
): Promise<void> {
  const faults: string[] = []
  let done = 0
  for (const { name, bytes, sha256 } of files) {
    const found = await digestOf(join(folder, name), (more) => progress((done += more)))
    if (!found) faults.push(`${name} is missing`)
    else if (found.bytes !== bytes) faults.push(`${name} has ${found.bytes} bytes instead of ${bytes}`)
    else if (found.sha256 !== sha256) faults.push(`${name} was changed: its SHA-256 does not match`)
  }
  if (faults.length === 0) return
  const more = faults.length > 5 ? ` (and ${faults.length - 5} more)` : ''
  throw refusal(`The backup in ${folder} is damaged: ${faults.slice(0, 5).join('; ')}${more}. Use another backup.`)
}

async function digestOf(
  path: string,
  read: (bytes: number) => void,
): Promise<{ readonly bytes: number; readonly sha256: string } | undefined> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    await pipeline(createReadStream(path), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        read(chunk.length)
      }
    })
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return undefined
    throw error
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function manifestText(folder: string): Promise<string | undefined> {
  return readFile(join(folder, MANIFEST), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  })
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusal(message: string): Refusal {
  return new Refusal('failed_precondition', message)
}
