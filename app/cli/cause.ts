import { userInfo } from 'node:os'
import type { Cause } from '../../commands/handle.ts'
import type { Ids } from '../../infra/runtime/ids.ts'

/** Whoever types the command is who did it. */
export function commandLineCause(ids: Ids): Cause {
  const commandId = ids.token()
  return { commandId, actor: { kind: 'cli', id: userInfo().username }, correlationId: commandId }
}
