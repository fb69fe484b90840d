import { findUndoSeconds } from '../../projections/models/workspaces.ts'
import type { Caller } from '../http/route.ts'
import type { Services } from './services.ts'

/** How long (ms) somebody can take back what the caller publishes at once. */
export async function undoMsOf({ db }: Pick<Services, 'db'>, { workspaceId, undoSeconds }: Caller): Promise<number> {
  return (undoSeconds ?? (await findUndoSeconds(db, workspaceId))) * 1000
}
