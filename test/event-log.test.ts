import t from 'tap'
import { eventStoreDbLog } from '../event-log/eventstoredb.ts'
import { systemClock } from '../system/clock.ts'
import { eventLogContract, type ContractLog } from './support/event-log-contract.ts'
import { eventStoreDbStandIn } from './support/eventstoredb-stand-in.ts'
import { memoryLog, memoryLogData, setReachable } from './support/memory-log.ts'

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

async function openEventStoreDb(): Promise<ContractLog> {
  const server = await eventStoreDbStandIn()
  const open = () =>
    eventStoreDbLog({
      connectionString: server.connectionString,
      clock: systemClock,
      appendTimeoutMs: 2_000,
      readTimeoutMs: 2_000,
      heartbeatMs: 500,
    })
  return {
    log: open(),
    reopen: async () => open(),
    concurrentWriters: async (count) => Array.from({ length: count }, open),
    outage: { start: server.stop, end: server.start, within: 2_000 },
    close: server.close,
  }
}

const logs = [
  { name: 'in memory', open: openMemory },
  { name: 'EventStoreDB', open: openEventStoreDb },
]
for (const { name, open } of logs) await eventLogContract(t, name, open)
