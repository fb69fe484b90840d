import type { StoredLog } from '../../event-log/codec.ts'
import { openStoredLog } from '../../event-log/open-log.ts'
import { createLogTree, type LogTree, type LogTreeDeps } from '../../event-log/tree/log-tree.ts'

export type { LogTree }

/** The tree of the log, opened on the first call: few processes need it, and it has its own connection to EventStoreDB. */
export function treeOnDemand(
  eventStoreUrl: string | undefined,
  logParts: Parameters<typeof openStoredLog>[1],
  parts: Omit<LogTreeDeps, 'stored'>,
) {
  let stored: Promise<StoredLog> | undefined
  return {
    open: async (): Promise<LogTree> => {
      stored ??= openStoredLog(eventStoreUrl, logParts)
      return createLogTree({ ...parts, stored: await stored })
    },
    close: async (): Promise<void> => (await stored)?.close(),
  }
}
