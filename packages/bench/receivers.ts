import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Core } from '../../app/wiring/core.ts'
import { latency } from './deliveries.ts'
import { atMoments, moments } from './pace.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { compare, takeTurns, type Comparison, type RoundOptions } from './rounds.ts'
import type { Server } from './server.ts'
import { startAtWork } from './service.ts'
import { finishPost, registerWebhooks } from './webhooks.ts'

const WORKSPACES = 50
const WEBHOOKS_EACH = 20
const EVENTS_PER_SECOND = 10
const EVENTS = EVENTS_PER_SECOND * 10
const AIM = { ratio: 1.2, isMost: true } as const

/** 1,000 webhooks, and then the same with one more that accepts connections and never responds. */
export async function benchReceivers(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const closing: (() => Promise<unknown>)[] = []
  try {
    const receiver = await startReceiver()
    closing.unshift(receiver.stop)
    const dead = createServer().listen(0, '127.0.0.1')
    await once(dead, 'listening')
    closing.unshift(async () => dead.close())
    const deadUrl = `http://127.0.0.1:${(dead.address() as AddressInfo).port}`
    const hosts = [receiver.url, deadUrl].map((url) => new URL(url).host).join(',')
    const { core, stop } = await startAtWork(server, 'receivers', { OUTBOUND_ALLOW: hosts })
    closing.unshift(stop)
    const registered = await registerWebhooks(core, receiver.url, { workspaces: WORKSPACES, each: WEBHOOKS_EACH })
    const workspaceIds = [...new Set(registered.map(({ workspaceId }) => workspaceId))]
    const turn = (name: string) => ({ name, measure: () => paced(core, receiver, workspaceIds) })
    const [alone = []] = await takeTurns([turn('1,000 receivers, p99')], options)
    await registerWebhooks(core, deadUrl, { workspaces: workspaceIds.slice(0, 1), each: 1 })
    const [beside = []] = await takeTurns([turn('one of them dead, p99')], options)
    return [
      compare(
        'a webhook beside a dead one, p99',
        'ms',
        { name: 'one dead', rounds: beside },
        { name: 'none', rounds: alone },
        AIM,
      ),
    ]
  } finally {
    for (const close of closing) await close()
  }
}

async function paced(core: Core, receiver: Receiver, workspaceIds: readonly string[]) {
  const { clock } = core
  await atMoments(clock, moments(clock.now(), 1000 / EVENTS_PER_SECOND, EVENTS), (nth) =>
    finishPost(core, workspaceIds[nth % workspaceIds.length] ?? ''),
  )
  const { p50, p99 } = latency(await receiver.take(EVENTS * WEBHOOKS_EACH))
  return { perSecond: p99 ?? NaN, p50: p50 ?? NaN, p99: p99 ?? NaN }
}
