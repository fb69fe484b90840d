import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { given, measureAsWorker } from './child.ts'
import { hands } from './pace.ts'
import { percentile } from './stats.ts'

/* Saves drafts, all at once over a hundred connections, as open pages of the dashboard do after an outage. */

const drafts = z
  .array(z.object({ id: z.string(), key: z.string() }))
  .parse(JSON.parse(await readFile(given('DRAFTS'), 'utf8')))
const inTurn = hands(100)
let times = 0

await measureAsWorker(async () => {
  const caption = `Saved for the ${(times += 1)}. time. `.repeat(10)
  const began = performance.now()
  const ms = await Promise.all(
    drafts.map((draft) =>
      inTurn(async () => {
        await save(draft, caption)
        return performance.now() - began
      }),
    ),
  )
  const perSecond = (drafts.length * 1_000) / (performance.now() - began)
  return { perSecond, p50: percentile(ms, 50), p99: percentile(ms, 99) }
})

async function save({ id, key }: (typeof drafts)[number], caption: string): Promise<void> {
  const response = await fetch(`${given('API')}/drafts/${id}`, {
    ...{ method: 'PATCH', body: JSON.stringify({ caption }) },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`a draft was answered with ${response.status}`)
}
