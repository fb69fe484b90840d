import { EventStoreDBClient, START } from '@eventstore/db-client'
import { rebuildProjections } from '../../app/cli/projections.ts'
import { given, measureAsWorker } from './child.ts'
import { openAt } from './service.ts'
import type { Measured } from './stats.ts'

/** Reads a whole EventStoreDB: to rebuild all read models, or for nothing. */

const events = Number(given('EVENTS'))
const core = await openAt(process.env as Readonly<Record<string, string>>)
const client = EventStoreDBClient.connectionString(given('EVENTSTORE_URL'))

async function rebuilding(): Promise<void> {
  const quiet = { show: () => undefined, tell: () => undefined, end: () => undefined }
  const rebuilt = await rebuildProjections(core, [], {}, { bar: quiet, signal: new AbortController().signal })
  const wrong = rebuilt.find(({ compared }) => compared !== 'equal')
  if (wrong) throw new Error(`${wrong.projection} is not as expected`)
}

/** As the service asks for them: parsed, without the server's own events. */
async function reading(): Promise<void> {
  let read = 0
  for await (const { event } of client.readAll({ fromPosition: START }))
    if (event && !event.type.startsWith('$')) read += 1
  if (read < events) throw new Error(`${read} events were read instead of ${events}`)
}

const work = given('READS') === 'rebuild' ? rebuilding : reading
await measureAsWorker(async (): Promise<Measured> => {
  const start = performance.now()
  await work()
  return { perSecond: (events * 1000) / (performance.now() - start) }
})
await client.dispose()
await core.close()
