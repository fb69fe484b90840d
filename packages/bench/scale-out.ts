import { throughput } from './queueing.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { connectAccounts } from './scheduled-posts.ts'
import type { Server } from './server.ts'
import { burst, described, startNamedServers, startStack, type Costs } from './stack.ts'
import type { Measured } from './stats.ts'

const POSTS = 300
const ACCOUNTS = { workspaces: 10, each: 10 }
/** Processes with the role reactors. */
const PROCESSES = [1, 2, 4]
/** Machines of two cores each, for the simulation. */
const MACHINES = [1, 2, 8, 32]
const CORES = 2

/**
 * The same burst on the named stack with one, two and four reactors processes, on this one machine: what a post costs in all. Then
 * a simulation with these costs, where EventStoreDB, Postgres and projections have a machine each and reactors have several.
 */
export async function benchScaleOut(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<unknown>)[] = []
  const costs: Costs[] = []
  try {
    const servers = await startNamedServers(server, options.progress)
    if (!servers) return []
    closing.unshift(servers.stop)
    const measured: Measured[][] = []
    for (const processes of PROCESSES) {
      const roles = ['projections', ...Array<string>(processes).fill('reactors')]
      const name = `scale_out_${processes}`
      const stack = await startStack(server, name, { ...servers, roles })
      const accounts = await connectAccounts(stack.core, ACCOUNTS)
      const contender: Contender = {
        name: `${processes} reactors`,
        measure: async () => {
          const { perSecond, cpuPerPost, each } = await burst(stack, accounts, POSTS)
          options.progress(`    ${perSecond.toFixed(0)} posts/s; ${described(each)}`)
          if (processes === 1) costs.push(each)
          return { perSecond: 1000 / cpuPerPost }
        },
      }
      const [rounds = []] = await takeTurns([contender], options)
      measured.push(rounds)
      await stack.stop()
    }
    const [one = [], ...more] = measured
    const alone = { name: '1 process', rounds: one }
    return [
      ...more.map((rounds, nth) => {
        const ours = { name: `${PROCESSES[nth + 1]} processes`, rounds }
        return compare('posts per second of CPU, reactors', 'posts/s', ours, alone, { ratio: 0.9 })
      }),
      ...simulated(costs.at(-1) ?? {}, options),
    ]
  } finally {
    for (const close of closing) await close()
  }
}

/** @param cost of a post in each process, ms */
function simulated(cost: Costs, { progress }: RoundOptions): readonly Comparison[] {
  const of = (name: string) => cost[name] ?? NaN
  const on = (machines: number) => {
    const result = throughput(
      [
        { name: 'reactors', servers: machines * CORES, ms: of('reactors') / 5 },
        { name: 'EventStoreDB', servers: CORES, ms: of('EventStoreDB') / 4 },
        // The thread of one process.
        { name: 'projections', servers: 1, ms: of('projections') },
        { name: 'Postgres', servers: CORES, ms: of('Postgres') },
      ],
      // Queued, started, prepared, published: each step is appended before the next one.
      [
        'EventStoreDB',
        'reactors',
        'EventStoreDB',
        'reactors',
        'EventStoreDB',
        'reactors',
        'EventStoreDB',
        'reactors',
        'projections',
        'Postgres',
        'reactors',
      ],
      machines * 64,
    )
    const busy = Object.entries(result.busy).map(([name, share]) => `${name} ${Math.round(share * 100)} %`)
    progress(`    simulated, ${machines} machines: ${result.perSecond.toFixed(0)} posts/s; busy: ${busy.join(', ')}`)
    return { perSecond: result.perSecond }
  }
  const [one = { perSecond: NaN }, ...more] = MACHINES.map(on)
  return more.map((result, nth) =>
    compare(
      'simulated, reactors on machines of their own',
      'posts/s',
      { name: `${MACHINES[nth + 1]} machines`, rounds: [result] },
      { name: '1 machine', rounds: [one] },
    ),
  )
}
