import { eventStoreDbLog } from '../event-log/eventstoredb.ts'
import { systemClock } from '../system/clock.ts'
import { eventStoreDbStandIn } from './support/eventstoredb-stand-in.ts'
import { newEvents, readUntilCaughtUp, readCount } from './support/event-log-contract.ts'
const s = await eventStoreDbStandIn()
const log = eventStoreDbLog({connectionString: s.connectionString, clock: systemClock, heartbeatMs: 100, appendTimeoutMs: 300, readTimeoutMs: 400})
const t0 = performance.now()
const say = (x: unknown) => console.log((performance.now()-t0).toFixed(0), x)
await log.append('a-1', newEvents(2), -1)
for (let n = 0; n < 5000; n++) s.write(`other-${n % 10}`, {})
say('written')
;(async () => { for await (const d of log.subscribe(-1n, {categories: ['a']})) say(d.kind) })().catch(say)
await new Promise(r => setTimeout(r, 1000))
await log.append('a-1', newEvents(2), 1).then(() => say('appended'))
await new Promise(r => setTimeout(r, 3000))
await log.close(); await s.close()
