import { moments } from './pace.ts'
import { compare, takeTurns, type Comparison, type Contender, type RoundOptions } from './rounds.ts'
import { connectAccounts, schedule } from './scheduled-posts.ts'
import type { Server } from './server.ts'
import { shownAsPublished, startNamedServers, startStack, type Stack } from './stack.ts'

const ACCOUNTS = { workspaces: 50, each: 10 }
const POSTS = 10_000
/** How long before they are due (ms) the posts are scheduled. */
const LEAD_MS = 30_000
const AIM = { ratio: 60, isMost: true } as const

/** 10,000 posts on 500 accounts, all due at the same moment, as at nine in the morning: until the last one is published. */
export async function benchMinute(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<unknown>)[] = []
  try {
    const embedded = await startStack(server, 'minute', {
      ...{ environment: {}, roles: ['projections,reactors'], servers: { Postgres: server.postmaster } },
    })
    closing.unshift(embedded.stop)
    const stacks = [embedded]
    const servers = await startNamedServers(server, options.progress)
    if (servers) {
      closing.unshift(servers.stop)
      const more = { environment: servers.environment, roles: ['projections', 'reactors'], servers: servers.servers }
      const named = await startStack(server, 'minute_named', more)
      closing.unshift(named.stop)
      stacks.push(named)
    }
    const contenders: Contender[] = []
    for (const [nth, stack] of stacks.entries())
      contenders.push(await dueAtOnce(stack, nth === 0 ? 'embedded' : 'named'))
    const measured = await takeTurns(contenders, { ...options, warmUps: 0 })
    return contenders.map(({ name }, nth) => {
      const rounds = measured[nth] ?? []
      const second = { name: 'a second', rounds: rounds.map(() => ({ perSecond: 1 })) }
      return compare(
        `${POSTS.toLocaleString('en')} posts due at once, until all are published`,
        's',
        { name, rounds },
        second,
        AIM,
      )
    })
  } finally {
    for (const close of closing) await close()
  }
}

async function dueAtOnce({ core }: Stack, name: string): Promise<Contender> {
  const { clock } = core
  const accounts = await connectAccounts(core, ACCOUNTS)
  const measure = async () => {
    const due = clock.now() + LEAD_MS
    const streams = await schedule(core, accounts, moments(due, 0, POSTS))
    await clock.sleep(due - clock.now())
    await shownAsPublished(
      core,
      streams.map((stream) => stream.slice('post-'.length)),
    )
    return { perSecond: (clock.now() - due) / 1000 }
  }
  return { name: `${name} stack`, measure }
}
