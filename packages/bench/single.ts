import { startReceiver } from './receiver.ts'
import { compare, takeTurns, type Comparison, type RoundOptions } from './rounds.ts'
import { connectAccounts } from './scheduled-posts.ts'
import type { Server } from './server.ts'
import { burst, startStack } from './stack.ts'
import { finishPost, registerWebhooks } from './webhooks.ts'

const AMOUNT = 500
const AIM = { ratio: 50 }

/** One account, and one webhook, that everything is for: how much of it goes out in a second. */
export async function benchSingle(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<unknown>)[] = []
  try {
    const receiver = await startReceiver()
    closing.unshift(receiver.stop)
    const environment = { OUTBOUND_ALLOW: new URL(receiver.url).host }
    const stack = await startStack(server, 'single', { environment, roles: ['projections,reactors'], servers: {} })
    closing.unshift(stack.stop)
    const { core } = stack
    const accounts = await connectAccounts(core, { workspaces: 1, each: 1 })
    const [webhook] = await registerWebhooks(core, receiver.url, { workspaces: 1, each: 1 })
    const delivered = async () => {
      const start = core.clock.now()
      await Promise.all(Array.from({ length: AMOUNT }, () => finishPost(core, webhook?.workspaceId ?? '')))
      const messages = await receiver.take(AMOUNT)
      return { perSecond: (AMOUNT * 1000) / (Math.max(...messages.map(({ at }) => at)) - start) }
    }
    const contenders = [
      { name: 'one account', measure: () => burst(stack, accounts, AMOUNT) },
      { name: 'one webhook', measure: delivered },
    ]
    const measured = await takeTurns(contenders, options)
    return contenders.map(({ name }, nth) => {
      const rounds = measured[nth] ?? []
      const one = { name: 'one a second', rounds: rounds.map(() => ({ perSecond: 1 })) }
      return compare(`${AMOUNT} at once for ${name}`, '/s', { name, rounds }, one, AIM)
    })
  } finally {
    for (const close of closing) await close()
  }
}
