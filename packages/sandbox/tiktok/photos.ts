import type { StandInDeps } from '../stand-in.ts'
import { download } from './download.ts'
import type { Failures } from './failures.ts'
import { goLive, postOf, type Task } from './tasks.ts'

/** Pending photos: TikTok fetches and posts them after it has answered. */
export interface Photos {
  /**
   * Starts a download, or resumes one interrupted by a restart.
   *
   * @returns why it failed, if it did, once that is known
   */
  fetch(task: Task): Promise<string | undefined>
  /** Resolves when the account has no pending photos. */
  settled(accountId: string): Promise<void>
  close(): Promise<void>
}

export function photosOf(deps: StandInDeps, failures: Failures): Photos {
  const closing = new AbortController()
  const underway = new Map<string, { readonly accountId: string; readonly result: Promise<string | undefined> }>()

  const fetched = async (task: Task): Promise<string | undefined> => {
    if (postOf(task, deps)) return undefined
    const asked = failures(task)
    if (asked !== undefined) return asked
    const content = await download(task.url ?? '', closing.signal)
    if ('fail' in content) return content.fail
    for (const url of task.more ?? []) {
      const further = await download(url, closing.signal)
      if ('fail' in further) return further.fail
    }
    goLive(task, content, deps)
    return undefined
  }
  const resultsOf = (accountId?: string) =>
    [...underway.values()].filter((each) => accountId === undefined || each.accountId === accountId)

  return {
    fetch: (task) => {
      const known = underway.get(task.publishId)
      if (known) return known.result
      const result = fetched(task)
      underway.set(task.publishId, { accountId: task.accountId, result })
      return result
    },
    settled: async (accountId) => {
      await Promise.all(resultsOf(accountId).map(({ result }) => result))
    },
    close: async () => {
      closing.abort()
      await Promise.all(resultsOf().map(({ result }) => result))
    },
  }
}
