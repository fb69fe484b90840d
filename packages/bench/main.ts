import { parseArgs } from 'node:util'
import { benchAccounts } from './accounts.ts'
import { benchAnalytics } from './analytics.ts'
import { benchAppend } from './append.ts'
import { benchCredits } from './credits.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchDrafts } from './drafts.ts'
import { benchEventStore } from './event-store.ts'
import { benchHttp } from './http.ts'
import { benchIdle } from './idle.ts'
import { benchImages } from './images.ts'
import { benchLists } from './lists.ts'
import { benchMigrations } from './migrations.ts'
import { benchMinute } from './minute.ts'
import { benchPrivacy } from './privacy.ts'
import { benchProjection } from './projection.ts'
import { machineLine, table, thisMachine } from './report.ts'
import { benchRebuild } from './rebuild.ts'
import { benchReceivers } from './receivers.ts'
import { benchRecovery } from './recovery.ts'
import type { Comparison, RoundOptions } from './rounds.ts'
import { benchScaleOut } from './scale-out.ts'
import { benchSchedule } from './schedule.ts'
import { startServer, type Server } from './server.ts'
import { benchSingle } from './single.ts'
import { benchSize } from './size.ts'
import { benchStacks } from './stacks.ts'
import { benchStrangers } from './strangers.ts'
import { benchTree } from './tree.ts'
import { benchUploads } from './uploads.ts'

const BENCHES: Readonly<Record<string, (server: Server, options: RoundOptions) => Promise<readonly Comparison[]>>> = {
  http: benchHttp,
  append: benchAppend,
  projection: benchProjection,
  rebuild: benchRebuild,
  deliveries: benchDeliveries,
  receivers: benchReceivers,
  single: benchSingle,
  schedule: benchSchedule,
  analytics: benchAnalytics,
  credits: benchCredits,
  migrations: benchMigrations,
  lists: benchLists,
  privacy: benchPrivacy,
  tree: benchTree,
  idle: benchIdle,
  size: benchSize,
  images: benchImages,
  uploads: benchUploads,
  drafts: benchDrafts,
  accounts: benchAccounts,
  'event-store': benchEventStore,
  stacks: benchStacks,
  recovery: benchRecovery,
  minute: benchMinute,
  'scale-out': benchScaleOut,
  strangers: benchStrangers,
}

/** All but the one that takes longer than the others together. */
const BY_DEFAULT = Object.keys(BENCHES).filter((name) => name !== 'strangers')

const HELP = `npm run bench -- [options]

Compares the service with simpler ways to do the same work, on a Postgres of its own in a temporary folder, and prints a
table of ratios. A wrong result (a lost event, a row that differs) ends the run with an error; a missed aim does not.

  --only NAME   run only this benchmark, one of ${Object.keys(BENCHES).join(', ')}; may be repeated.
                strangers runs only when named: a round takes 12 minutes. event-store, stacks, recovery, scale-out and
                the second half of minute need FANFARE_BENCH_EVENTSTOREDB set to a program that starts EventStoreDB
                (docs/benchmarks.md), and all but the first need nats-server
  --rounds N    number of measured rounds, default 5. A round takes from a few seconds to a minute; filling the tables
                for migrations, lists and accounts takes several minutes more, once
  --minutes N   how long strangers runs on each side of a round, default 5
  --json        print the result as JSON
  --help        show this help
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(HELP)
else {
  await run(values.only ?? BY_DEFAULT, Number(values.rounds), Number(values.minutes)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
}

async function run(names: readonly string[], rounds: number, minutes: number): Promise<void> {
  const unknown = names.find((name) => !Object.hasOwn(BENCHES, name))
  if (unknown !== undefined)
    throw new Error(`unknown benchmark ${unknown}; the benchmarks are ${Object.keys(BENCHES).join(', ')}`)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number of at least 1')
  if (!(minutes > 0)) throw new Error('--minutes must be a number above 0')
  const progress = (message: string) => void process.stderr.write(`${message}\n`)
  const server = await startServer(progress)
  process.once('SIGINT', () => void server.stop().finally(() => process.exit(130)))
  try {
    const comparisons: Comparison[] = []
    for (const name of names) {
      progress(name)
      const options = { rounds, warmUps: 1, minutes, progress }
      comparisons.push(...((await BENCHES[name]?.(server, options)) ?? []))
    }
    const machine = thisMachine(server.version)
    if (values.json) process.stdout.write(`${JSON.stringify({ machine, rounds, comparisons }, undefined, 2)}\n`)
    else process.stdout.write(`${machineLine(machine)}; ${rounds} rounds\n\n${table(comparisons)}`)
  } finally {
    await server.stop()
  }
}
