import { userInfo } from 'node:os'
import type { Cause } from '../../commands/handle.ts'
import type { Ids } from '../../infra/runtime/ids.ts'

/** The cause of commands from the command line: its user. */
export function commandLineCause(ids: Ids): Cause {
  const commandId = ids.token()
  return { commandId, actor: { kind: 'cli', id: userInfo().username }, correlationId: commandId }
}
