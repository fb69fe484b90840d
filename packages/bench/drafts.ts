import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { addKey } from '../../app/cli/keys.ts'
import { addWorkspace } from '../../app/cli/workspaces.ts'
import { startWorker } from './child.ts'
import { NO_LIMIT } from './http.ts'
import { atMoments, hands, moments } from './pace.ts'
import { postTo } from './post.ts'
import { compare, takeTurns, type Comparison, type RoundOptions } from './rounds.ts'
import type { Server } from './server.ts'
import { startAtWork } from './service.ts'
import { percentile, type Measured } from './stats.ts'

const WORKSPACES = 10
const DRAFTS_OF_EACH = 100
/** A neighbor's requests, of two kinds in turns. All drafts are saved at once, again and again, meanwhile. */
const REQUESTS = 400
const EVERY_MS = 25

/** How long a workspace's requests take while 1,000 drafts of others are saved at once, against how long they take alone. */
export async function benchDrafts(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const limits = { RATE_LIMIT_PER_MINUTE: NO_LIMIT, RATE_LIMIT_PER_DAY: NO_LIMIT }
  const service = await startAtWork(server, 'drafts', { ...limits, SANDBOX: 'off', PORT: '0' }, './whole-service.js')
  const { core, url } = service
  const keyOf = async (name: string) => {
    const { id: workspace } = await addWorkspace(core, name)
    return (await addKey(core, { workspace, scopes: 'all' })).key
  }
  try {
    const drafts: { readonly id: string; readonly key: string }[] = []
    const inTurn = hands(10)
    for (let nth = 0; nth < WORKSPACES; nth += 1) {
      const key = await keyOf(`writers ${nth}`)
      const made = Array.from({ length: DRAFTS_OF_EACH }, () => inTurn(() => ask(`${url}/drafts`, key, {})))
      for (const draft of await Promise.all(made)) drafts.push({ ...idSchema.parse(draft), key })
    }
    const neighbor = await keyOf('neighbor')
    const list = join(server.folder, 'drafts.json')
    await writeFile(list, JSON.stringify(drafts))
    const writers = await startWorker('./autosaves.js', { API: url, DRAFTS: list })
    try {
      const alone = { name: 'alone', measure: () => requests(url, neighbor, core.clock) }
      const beside = {
        name: 'beside them',
        measure: async () => {
          let isOver = false
          const saving = async () => {
            while (!isOver) {
              const { perSecond } = await writers.measure()
              options.progress(`    ${drafts.length} drafts saved, ${Math.round(perSecond)} per second`)
            }
          }
          const saved = saving()
          const measured = await requests(url, neighbor, core.clock).finally(() => (isOver = true))
          await saved
          return measured
        },
      }
      const [theirs = [], ours = []] = await takeTurns([alone, beside], options)
      const aim = { ratio: 1.3, isMost: true } as const
      const what = `requests beside ${drafts.length} drafts saved at once, p99`
      return [compare(what, 'ms', { ...beside, rounds: ours }, { ...alone, rounds: theirs }, aim)]
    } finally {
      await writers.stop()
    }
  } finally {
    await service.stop()
  }
}

const idSchema = z.object({ id: z.string() })

async function requests(url: string, key: string, clock: Parameters<typeof atMoments>[0]): Promise<Measured> {
  const body = postTo('acc_01JD0000000000000000000000')
  const ms = await atMoments(clock, moments(clock.now(), EVERY_MS, REQUESTS), async (index) => {
    const began = performance.now()
    await ask(`${url}/posts`, key, index % 2 === 0 ? body : undefined)
    return performance.now() - began
  })
  const p99 = percentile(ms, 99)
  return { perSecond: p99, p50: percentile(ms, 50), p99 }
}

async function ask(url: string, key: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}: ${await response.text()}`)
  return response.json()
}
