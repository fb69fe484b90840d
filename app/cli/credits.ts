import { credits, type CreditsState } from '../../domain/video/credits.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { grantCredits, MOST_CREDITS } from '../../commands/credits.ts'
import { handle, type Cause } from '../../commands/handle.ts'
import type { Core } from '../wiring/core.ts'
import { balanceOf } from '../../projections/models/credit-entries.ts'
import { commandLineCause } from './cause.ts'
import { settled } from './settled.ts'
import { oneWorkspace } from './workspaces.ts'

export interface Balance {
  /** The workspace's id. */
  readonly workspace: string
  readonly credits: number
}

interface Grant {
  readonly workspaceId: string
  readonly amount: number
  readonly reason?: string | undefined
}

/** @throws Refusal for an invalid amount or an unknown workspace */
export async function grant(
  core: Core,
  {
    workspace,
    amount,
    reason,
  }: { readonly workspace: string; readonly amount: string; readonly reason?: string | undefined },
): Promise<Balance & { readonly granted: number }> {
  const credits = /^\d{1,10}$/.test(amount) ? Number(amount) : 0
  if (credits < 1 || credits > MOST_CREDITS) {
    throw new Refusal('invalid_request', `--amount must be a whole number from 1 to ${MOST_CREDITS}`)
  }
  const { id: workspaceId } = await oneWorkspace(core, workspace)
  const balance = await granted(core, { workspaceId, amount: credits, reason }, commandLineCause(core.ids))
  return { workspace: workspaceId, granted: credits, credits: balance }
}

/** Grants credits only once, however often the service starts. */
export async function grantOnce(core: Core, given: Grant): Promise<void> {
  const commandId = derivedId('granted at the start', given.workspaceId)
  await granted(core, given, { ...commandLineCause(core.ids), commandId }, ({ isOpened }) => !isOpened)
}

export async function creditsOf(core: Core, workspace: string): Promise<Balance> {
  const { id } = await oneWorkspace(core, workspace)
  return { workspace: id, credits: await balanceOf(core.db, id) }
}

async function granted(
  core: Core,
  given: Grant,
  cause: Cause,
  isDue: (state: CreditsState) => boolean = () => true,
): Promise<number> {
  const decide = (state: CreditsState) => (isDue(state) ? grantCredits(state, given) : [])
  const handled = await handle(core, credits, given.workspaceId, cause, decide)
  await settled(core, handled)
  return handled.state.balance
}
