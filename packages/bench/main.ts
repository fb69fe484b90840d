import { parseArgs } from 'node:util'
import { benchAccounts } from './accounts.ts'
import { benchAnalytics } from './analytics.ts'
import { benchAppend } from './append.ts'
import { benchDeliveries } from './deliveries.ts'
import { benchHttp } from './http.ts'
import { benchIdle } from './idle.ts'
import { benchLists } from './lists.ts'
import { benchProjection } from './projection.ts'
import { machineLine, table, thisMachine } from './report.ts'
import { benchRebuild } from './rebuild.ts'
import type { Comparison, RoundOptions } from './rounds.ts'
import { benchSchedule } from './schedule.ts'
import { startServer, type Server } from './server.ts'
import { benchStrangers } from './strangers.ts'

const BENCHES: Readonly<Record<string, (server: Server, options: RoundOptions) => Promise<readonly Comparison[]>>> = {
  http: benchHttp,
  append: benchAppend,
  projection: benchProjection,
  rebuild: benchRebuild,
  deliveries: benchDeliveries,
  schedule: benchSchedule,
  analytics: benchAnalytics,
  lists: benchLists,
  idle: benchIdle,
  accounts: benchAccounts,
  strangers: benchStrangers,
}

/** All but the one that takes longer than the others together. */
const BY_DEFAULT = Object.keys(BENCHES).filter((name) => name !== 'strangers')

const HELP = `npm run bench -- [options]

Measures the service against simpler ways to do the same, on a Postgres of its own in a temporary folder, and prints a
table of ratios. A wrong result (an event lost, a row that differs) ends it with an error; a missed aim does not.

  --only NAME   only this one of ${Object.keys(BENCHES).join(', ')}; may be given again.
                strangers runs only when it is named: a round takes 12 minutes
  --rounds N    rounds that count, default 5. One takes seconds to a minute; to fill the tables for lists and accounts takes
                minutes more, once
  --minutes N   how long strangers lasts on each side of a round, default 5
  --json        the same as JSON
  --help
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
    throw new Error(`there is no benchmark ${unknown}, only ${Object.keys(BENCHES).join(', ')}`)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number from 1 on')
  if (!(minutes > 0)) throw new Error('--minutes takes a number above 0')
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
