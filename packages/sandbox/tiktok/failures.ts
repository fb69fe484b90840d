import { postScript } from './script.ts'
import type { Task } from './tasks.ts'

/** The reason for which a task should fail. If the number of failures is limited, each call consumes one. */
export type Failures = (task: Task) => string | undefined

export function scriptedFailures(): Failures {
  const used = new Map<string, number>()
  return ({ accountId, caption }) => {
    const { fail } = postScript(caption)
    const key = JSON.stringify([accountId, caption])
    const before = used.get(key) ?? 0
    if (!fail || before >= fail.times) return undefined
    used.set(key, before + 1)
    return fail.reason
  }
}
