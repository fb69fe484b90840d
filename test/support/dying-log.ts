import type { EventLog } from '../../event-log/event-log.ts'

/** A log of a process that dies at its nth append (from 0), before the append or right after. */
export function dyingLog(log: EventLog, nth: number, moment: 'before' | 'after'): EventLog {
  let appends = 0
  let dead = false
  const alive = () => {
    if (dead) throw new Error('the process is dead')
  }
  return {
    ...log,
    read: async (stream, from) => {
      alive()
      return log.read(stream, from)
    },
    append: async (stream, events, expected) => {
      alive()
      appends += 1
      if (appends <= nth) return log.append(stream, events, expected)
      dead = true
      if (moment === 'after') await log.append(stream, events, expected)
      throw new Error('the process is dead')
    },
  }
}
