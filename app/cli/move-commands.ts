import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Option, type Command } from 'commander'
import { Refusal } from '../../domain/core/errors.ts'
import type { Core } from '../wiring/core.ts'
import { packageVersion } from '../../infra/runtime/package-root.ts'
import { commandLineCause } from './cause.ts'
import { abandonImport } from './move/abandon.ts'
import { exported, type Exported } from './move/export.ts'
import type { Header } from './move/format.ts'
import { importFile, type Imported } from './move/import.ts'
import { released } from './move/release.ts'
import { headFile } from './restore/log-head.ts'
import { meter } from './meter.ts'
import { print, type Output } from './output.ts'
import { json, run, tell, withCore } from './run.ts'
import { oneWorkspace } from './workspaces.ts'

interface ExportOptions extends Output {
  readonly workspace?: string
  readonly all?: true
  readonly release?: true
  readonly out?: string
}

interface ImportOptions extends Output {
  readonly dryRun?: true
  readonly abandon?: string
}

/** The file contains everything that the workspace has written. */
const PRIVATE = 0o600

/** `fanfare export` and `fanfare import` (docs/moving.md). */
export function moveCommands(program: Command): void {
  program
    .command('export')
    .description('export the events of a workspace, or the whole log, as lines of JSON without secrets')
    .addOption(new Option('--workspace <workspace>', 'id or name of the workspace').conflicts('all'))
    .option('--all', 'export the whole log, to move it from Postgres to EventStoreDB or back')
    .addOption(
      new Option(
        '--release',
        'stop publishing the workspace from here: its accounts must be connected again',
      ).conflicts('all'),
    )
    .option('--out <file>', 'output file; default: standard output')
    .option('--json', 'print the result as JSON, if --out is given')
    .action((options: ExportOptions, command: Command) => {
      if (!options.workspace && !options.all) command.error('error: give --workspace <workspace> or --all')
      return withCore((core) => exportTo(core, options))
    })
  program
    .command('import')
    .argument('[file]', 'made by fanfare export; - for standard input', '-')
    .description('import the events of an export into the log; if interrupted, run it again to continue')
    .option('--dry-run', 'check the file and compare it with the log, without writing anything')
    .addOption(
      new Option(
        '--abandon <workspace>',
        'abandon an interrupted import of a workspace that cannot be finished',
      ).conflicts('dryRun'),
    )
    .addOption(json())
    .action((file: string, options: ImportOptions, command: Command) => {
      const { abandon } = options
      if (abandon === undefined) return withCore((core) => importFrom(core, file, options))
      if (command.args.length > 0) command.error('error: --abandon takes no file')
      return run(options, (core) => abandonImport(core, abandon, commandLineCause(core.ids)))
    })
}

async function exportTo(core: Core, options: ExportOptions): Promise<void> {
  const { out } = options
  if (out !== undefined && (await isThere(out))) throw new Refusal('failed_precondition', `${out} already exists.`)
  // `--all` skips this, so that it only reads the log: the read models may belong to another one.
  if (!options.all) await core.projector.catchUp()
  const workspace = options.workspace === undefined ? undefined : await oneWorkspace(core, options.workspace)
  const deps = { ...core, version: packageVersion(), logKind: logKindOf(core) }
  let result: Exported | undefined
  const rate = meter(core)
  const write = async () => {
    const named = workspace && { id: workspace.id, name: workspace.name }
    const done = (exported: Exported) => (result = exported)
    const lines = Readable.from(exported(deps, named, done, (events) => rate('events', events)))
    if (out === undefined) return pipeline(lines, process.stdout, { end: false })
    // A file under its final name is complete.
    await pipeline(lines, createWriteStream(`${out}.part`, { mode: PRIVATE }))
    await rename(`${out}.part`, out)
  }
  if (workspace && options.release) await released(core, workspace.id, commandLineCause(core.ids), write)
  else await write()
  if (!result) return
  if (out === undefined) tell(`… exported ${result.events} events in ${result.streams} streams`)
  else print({ file: out, ...result }, options.json ?? false)
}

async function importFrom(core: Core, file: string, options: ImportOptions): Promise<void> {
  const { actor } = commandLineCause(core.ids)
  const deps = { ...core, actor, logKind: logKindOf(core) }
  const work = async (path: string) => {
    const found = await importFile(deps, () => createReadStream(path), options, meter(core))
    // The noted position belongs to another log; a start would conclude that this one was restored.
    if (!options.dryRun) await rm(headFile(core.settings.DATA_DIR), { force: true })
    print(options.json ? found : shown(found, options.dryRun ?? false), options.json ?? false)
  }
  if (file !== '-') {
    if (!(await isThere(file))) throw new Refusal('invalid_request', `There is no file ${file}.`)
    return work(file)
  }
  // Saved first, so that a truncated input is noticed before anything is written.
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-import-'))
  try {
    const path = join(folder, 'events')
    await pipeline(process.stdin, createWriteStream(path, { mode: PRIVATE }))
    await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function shown({ toConnect, written, ...found }: Imported, isDry: boolean) {
  const next = toConnect.length === 0 ? {} : { 'to connect': toConnect }
  return { ...found, [isDry ? 'to write' : 'written']: written, ...next }
}

function logKindOf({ settings }: Core): Header['log'] {
  return settings.EVENTSTORE_URL === undefined ? 'postgres' : 'eventstoredb'
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
