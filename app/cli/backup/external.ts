import { join, resolve } from 'node:path'
import type { Settings } from '../../../infra/runtime/settings.ts'
import { forShell } from '../output.ts'

/** A command to run by hand, or another manual step. */
export interface Step {
  readonly what: string
  /** As for a shell; absent if it is not a command. */
  readonly run?: string
}

/** Replaces a backup or restore if the operator's own servers hold the data. */
export interface ByHand {
  /** Nothing was written. */
  readonly done: false
  readonly why: string
  readonly steps: readonly Step[]
}

const EVENTSTORE = '/var/lib/eventstore'
const EMBEDDED = 'The embedded Postgres, the encryption key and made media'
const PASSWORD = "set PGPASSWORD to DATABASE_URL's password; the tools must be of the server's version or later"

/** `undefined` if the embedded Postgres holds everything. */
export function backupByHand(settings: Settings, given: string): ByHand | undefined {
  const why = externalServers(settings)
  if (why === undefined) return undefined
  const folder = resolve(given)
  const { DATABASE_URL, EVENTSTORE_URL, DATA_DIR } = settings
  const dump = `--format=custom --exclude-schema=read --exclude-schema=read_next --file=${below(folder, 'fanfare.dump')}`
  return {
    done: false,
    why: `Nothing was backed up: ${why}. Run these commands in this order; the service can keep running.`,
    steps: [
      { what: 'The folder', run: `mkdir -m 700 -p ${forShell(folder)}` },
      // The log first: a database ahead of it is harmless, one behind it is not.
      ...(EVENTSTORE_URL === undefined ? [] : copyEventStore(folder)),
      ...(DATABASE_URL === undefined
        ? [{ what: EMBEDDED, run: `env -u EVENTSTORE_URL fanfare backup ${below(folder, 'fanfare')}` }]
        : [
            { what: `Postgres (${PASSWORD})`, run: `pg_dump --dbname=${withoutPassword(DATABASE_URL)} ${dump}` },
            { what: 'ENCRYPTION_KEY: keep it separately; without it, the credentials in the dump cannot be decrypted' },
            media(settings, `cp -a ${below(DATA_DIR, 'media')} ${forShell(folder)}`),
          ]),
    ],
  }
}

/** `undefined` if the embedded Postgres holds everything. */
export function restoreByHand(settings: Settings, given: string): ByHand | undefined {
  const why = externalServers(settings)
  if (why === undefined) return undefined
  const folder = resolve(given)
  const { DATABASE_URL, EVENTSTORE_URL, DATA_DIR } = settings
  const data = forShell(resolve(DATA_DIR))
  return {
    done: false,
    why: `Nothing was restored: ${why}. Run these commands in this order.`,
    steps: [
      { what: 'Stop every Fanfare process' },
      ...(EVENTSTORE_URL === undefined ? [] : putEventStoreBack(folder)),
      ...(DATABASE_URL === undefined
        ? [{ what: EMBEDDED, run: `env -u EVENTSTORE_URL fanfare restore ${below(folder, 'fanfare')}` }]
        : [
            {
              what: `Postgres, into an empty database (${PASSWORD})`,
              run: `pg_restore --no-owner --single-transaction --dbname=${withoutPassword(DATABASE_URL)} ${below(folder, 'fanfare.dump')}`,
            },
            { what: 'ENCRYPTION_KEY: set it to its value at the time of the backup' },
            media(settings, `cp -a ${below(folder, 'media')} ${data}`),
          ]),
      { what: 'Start the service held, so that nothing is published twice', run: 'fanfare serve --restored' },
    ],
  }
}

/** Formats the steps as a shell script: whatever is not a command is a comment. */
export function script({ why, steps }: ByHand): string {
  const lines = steps.flatMap(({ what, run }) => ['', `# ${what}`, ...(run === undefined ? [] : [run])])
  return [`# ${why}`, ...lines].join('\n')
}

function externalServers({ DATABASE_URL, EVENTSTORE_URL }: Settings): string | undefined {
  const set = [DATABASE_URL && 'DATABASE_URL', EVENTSTORE_URL && 'EVENTSTORE_URL'].filter(Boolean).join(' and ')
  if (set === '') return undefined
  return `${set} ${set.includes(' ') ? 'are' : 'is'} set, so use the servers' own tools`
}

/** The order in EventStoreDB's documentation: checkpoints before what they point into. */
function copyEventStore(folder: string): readonly Step[] {
  const to = forShell(`${join(folder, 'eventstore')}/`)
  const commands = [
    `mkdir -p ${to}`,
    `cd ${EVENTSTORE}`,
    `find index -name '*.chk' -exec rsync -aR {} ${to} \\;`,
    `rsync -a --exclude '*.chk' index ${to}`,
    `rsync -a *.chk ${to}`,
    `rsync -a *.0* ${to}`,
  ]
  return [
    {
      what: `EventStoreDB, on one up-to-date node, with no scavenge running (its data is in ${EVENTSTORE} by default)`,
      run: `(${commands.join(' && ')})`,
    },
  ]
}

function putEventStoreBack(folder: string): readonly Step[] {
  const from = forShell(`${join(folder, 'eventstore')}/`)
  return [
    { what: 'Stop EventStoreDB, and move away the contents of its data folder' },
    { what: 'EventStoreDB', run: `rsync -a ${from} ${EVENTSTORE}/` },
    {
      what: 'Truncate it where the backup ends, then start EventStoreDB',
      run: `cp ${EVENTSTORE}/chaser.chk ${EVENTSTORE}/truncate.chk`,
    },
  ]
}

/** The URL as a command argument, which other users of the machine may see. */
function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.password = ''
  url.searchParams.delete('password')
  return forShell(url.href)
}

function media({ media: { kind } }: Settings, run: string): Step {
  return kind === 'files'
    ? { what: 'Made media, if there is any', run }
    : { what: "Made media: use your object store's own tools for the bucket" }
}

function below(folder: string, name: string): string {
  return forShell(join(resolve(folder), name))
}
