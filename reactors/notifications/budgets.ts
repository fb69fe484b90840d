import { load, type CommandDeps } from '../../commands/handle.ts'
import { account, type AccountEvent } from '../../domain/account/account.ts'
import type { Capability } from '../../domain/account/capability.ts'
import { parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import { asText } from '../../domain/core/text.ts'
import { credits, type CreditsEvent } from '../../domain/video/credits.ts'
import type { Raised } from './notices.ts'

/* Budgets: what a platform may charge in a month, and the AI credits of a workspace. */

/** The share of the credits at which they are nearly spent. */
const LEFT = 0.2
/** What stops only when all is spent. */
const WRITING: readonly Capability[] = ['publishing', 'replies']

type DataOf<Event extends { readonly type: string; readonly data: object }, Type extends string> = Extract<
  Event,
  { readonly type: Type }
>['data']

/** Each month, of each platform: that nothing is read any more, and that posts wait. All accounts are one notice. */
export async function ofLimit(
  log: CommandDeps['log'],
  { stream, metadata }: RecordedEvent,
  { cause, capability, reason }: DataOf<AccountEvent, 'AccountLimited'>,
): Promise<Raised | undefined> {
  if (cause !== 'billing') return undefined
  const about = parseStreamName(stream).id
  const state = await load(log, account, about)
  if (state.status === 'absent') return undefined
  const { workspaceId, platform } = state
  const spending = WRITING.includes(capability) ? 'writing' : 'reading'
  const id = `budget ${platform} ${metadata.at.slice(0, 7)} ${spending}`
  return { workspaceId, notice: { id, topic: 'budget.reached', about, platform, error: asText(reason, 500) } }
}

/** Once after each grant: that few credits are left, and that they do not suffice for another video. */
export async function ofCredits(
  log: CommandDeps['log'],
  { metadata }: RecordedEvent,
  { workspaceId, amount, balance }: DataOf<CreditsEvent, 'CreditsCharged'>,
): Promise<Raised | undefined> {
  const { full } = await load(log, credits, workspaceId)
  const isSpent = balance < amount
  // With a later grant, what was left before does not matter any more.
  if (!full || full.since > metadata.at || (!isSpent && balance > full.balance * LEFT)) return undefined
  const left = `${balance} of ${full.balance} AI credits are left`
  const error = isSpent ? `${left}, too few for another video like the last one.` : `${left}.`
  const id = `credits ${full.since} ${isSpent ? 'spent' : 'few'}`
  return { workspaceId, notice: { id, topic: 'budget.reached', about: workspaceId, error } }
}
