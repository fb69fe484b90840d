import { createSessions } from '../../api/dashboard/sessions.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { userIdOf } from '../../domain/workspace/user.ts'
import { findUser } from '../../projections/models/users.ts'
import type { Core } from '../wiring/core.ts'

/** @throws Refusal not_found */
export async function sessionsOf(core: Core, name: string) {
  const { id, sessions } = await opened(core, name)
  return (await sessions.list(id)).map(({ tokenHash: _, ...session }) => session)
}

/** @throws Refusal not_found */
export async function signOutUser(core: Core, name: string): Promise<{ id: string; ended: number }> {
  const { id, sessions } = await opened(core, name)
  const ended = (await sessions.list(id)).length
  await sessions.endAll(id)
  return { id, ended }
}

async function opened(core: Core, name: string) {
  const user = await findUser(core.db, userIdOf(name))
  if (!user) throw new Refusal('not_found', 'No such user.')
  return { id: user.id, sessions: createSessions(core.db, core.clock, await core.derivationSecret()) }
}
