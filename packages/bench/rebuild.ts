import { fork } from 'node:child_process'
import { once } from 'node:events'
import * as z from 'zod'
import { writeHistory } from './history.ts'
import { benchReadModels } from './read-models.ts'
import { compare, type Comparison, type RoundOptions } from './rounds.ts'
import type { Server } from './server.ts'

/** A million events, after a tenth of that, to see whether memory grows with the log. */
const POSTS = [21_740, 195_660] as const

const rebuiltSchema = z.object({ events: z.number(), seconds: z.number(), peakMb: z.number(), equal: z.boolean() })

/** A rebuild of all read models in a separate process, from the first event to the swapped and compared tables. */
export async function benchRebuild(server: Server, options: RoundOptions): Promise<readonly Comparison[]> {
  const memory: ReturnType<typeof peakOf>[] = []
  const speed = await benchReadModels(server, 'rebuild', options, async ({ connectionString, log, projector }) => {
    let events = 0
    for (const posts of POSTS) {
      events += await writeHistory(log, posts)
      await projector.catchUp()
      const { peakMb } = await rebuildOnce(connectionString, events)
      memory.push(peakOf(events, peakMb))
      options.progress(`  the log holds ${events} events; a rebuild peaks at ${Math.round(peakMb)} MB`)
    }
    const makeAnew = async () => (await rebuildOnce(connectionString, events)).seconds
    const withoutCodec = async () => (await rebuildOnce(connectionString, events, 'unchecked')).seconds
    return { what: `rebuild of ${events.toLocaleString('en')} events`, events, makeAnew, withoutCodec }
  })
  const [tenth, all] = memory
  if (!tenth || !all) throw new Error('no memory use was measured')
  return [...speed, compare(`rebuild of ${all.name}, peak memory`, 'MB', all, tenth, { ratio: 1.3, isMost: true })]
}

function peakOf(events: number, mb: number) {
  return { name: `${events.toLocaleString('en')} events`, rounds: [{ perSecond: mb }] }
}

async function rebuildOnce(
  connectionString: string,
  events: number,
  codec = 'checked',
): Promise<z.infer<typeof rebuiltSchema>> {
  const child = fork(new URL('./rebuild-process.js', import.meta.url), {
    env: { ...process.env, connectionString, codec },
  })
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`the rebuild exited with ${code}`)
  })
  ended.catch(() => undefined)
  const [message] = (await Promise.race([once(child, 'message'), ended])) as unknown[]
  await ended.catch(() => undefined)
  const rebuilt = rebuiltSchema.parse(message)
  if (!rebuilt.equal || rebuilt.events !== events) throw new Error('the rebuilt tables are not as expected')
  return rebuilt
}
