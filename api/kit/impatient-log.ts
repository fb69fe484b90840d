import type { EventLog } from '../../event-log/event-log.ts'
import type { TimeLimit } from '../http/time-limit.ts'

/**
 * The log as requests use it: a server that hangs fails them early. An append may still succeed; a request that is repeated with
 * the same Idempotency-Key finds it.
 */
export function impatientLog(log: EventLog, limit: TimeLimit): EventLog {
  return {
    ...log,
    read: (...of) => limit.keep(log.read(...of)),
    append: (...events) => limit.keep(log.append(...events)),
    head: () => limit.keep(log.head()),
  }
}
