import t from 'tap'
import { eventStoreDbLog } from '../event-log/eventstoredb.ts'
import { systemClock } from '../system/clock.ts'
import { eventLogContract, type ContractLog } from './support/event-log-contract.ts'
import { eventStoreDbStandIn } from './support/eventstoredb-stand-in.ts'
import { memoryLog, memoryLogData, setReachable } from './support/memory-log.ts'

t.setTimeout(120_000)

/** Every implementation, and how to open it. */
const logs: readonly { readonly name: string; readonly open: () => Promise<ContractLog> }[] = [
  { name: 'in memory', open: openMemory },
  process.env.EVENTSTORE_URL
    ? { name: 'EventStoreDB at EVENTSTORE_URL', open: async () => storeAt(process.env.EVENTSTORE_URL ?? '') }
    : { name: 'EventStoreDB, its stand-in', open: openStandIn },
]

for (const { name, open } of logs) await eventLogContract(t, name, open)

async function openMemory(): Promise<ContractLog> {
  const data = memoryLogData()
  return {
    log: memoryLog(data),
    reopen: async () => memoryLog(data),
    concurrentWriters: async (count) => Array.from({ length: count }, () => memoryLog(data)),
    outage: {
      start: async () => setReachable(data, false),
      end: async () => setReachable(data, true),
      within: 0,
    },
  }
}

async function openStandIn(): Promise<ContractLog> {
  const server = await eventStoreDbStandIn()
  return {
    ...storeAt(server.connectionString),
    outage: { start: server.stop, end: server.start, within: 5_000 },
    close: server.close,
  }
}

function storeAt(connectionString: string): ContractLog {
  const open = () => eventStoreDbLog({ connectionString, clock: systemClock })
  return {
    log: open(),
    reopen: async () => open(),
    concurrentWriters: async (count) => Array.from({ length: count }, open),
  }
}
