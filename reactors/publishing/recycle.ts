import { Refusal } from '../../domain/core/errors.ts'
import { derivedId, derivedUlid } from '../../domain/core/ids.ts'
import { post } from '../../domain/post/post.ts'
import type { RecyclingRule } from '../../domain/recycling/recycling-events.ts'
import { recyclingRule, type RecyclingRuleState } from '../../domain/recycling/recycling-rule.ts'
import { handle, load, type Cause, type CommandDeps } from '../../commands/handle.ts'
import { queuePost } from '../../commands/queue-post.ts'
import { endTurn, failTurn, isTurnDue, numberOfTurn, startTurn, type ReadyTurn } from '../../commands/recycle-turn.ts'
import type { TextModel } from '../../infra/ai/text.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'
import { recycledContent } from './recycled-content.ts'

export interface RecycleDeps extends CommandDeps {
  /** Absent: rules that rewrite the caption fail. */
  readonly textModel: TextModel | undefined
}

/**
 * Runs the turns of recycling rules: a turn starts (on the rule's stream), its post is queued (on the post's own), the turn ends.
 * All ids of a turn derive from rule and turn, so a worker that continues after a crash appends the same events.
 */
export function recycleReactor(deps: RecycleDeps): Reactor {
  return async ({ subject: ruleId, token }, signal) => {
    const before = await load(deps.log, recyclingRule, ruleId)
    const state = isTurnDue(before, deps.clock.now()) ? await beginTurn(deps, ruleId, before, token, signal) : before
    if (state.status === 'absent') return DONE
    if (state.turn) {
      await finishTurn(deps, ruleId, state, state.turn)
      return DONE
    }
    // Postponed meanwhile, changed while its caption was rewritten, or leased by a process whose clock is ahead.
    return state.dueWork ? park(Date.parse(state.dueWork.dueAt)) : DONE
  }
}

/** @returns the rule afterwards; it has a turn if one has started */
async function beginTurn(
  deps: RecycleDeps,
  ruleId: string,
  rule: RecyclingRule,
  token: string,
  signal: AbortSignal,
): Promise<RecyclingRuleState> {
  const { clock } = deps
  const failed = async (error: string): Promise<RecyclingRuleState> => {
    const cause = causedBy(ruleId, derivedId(token, 'fail'))
    return (await handle(deps, recyclingRule, ruleId, cause, (state) => failTurn(state, error, clock.now()))).state
  }
  const ready = await readyTurn(deps, rule, ruleId, signal)
  if ('error' in ready) return failed(ready.error)
  const cause = causedBy(ruleId, turnCommand(ruleId, ready.number))
  try {
    return (await handle(deps, recyclingRule, ruleId, cause, (state) => startTurn(state, ready, clock.now()))).state
  } catch (error) {
    // An invalid post is not retried before the next check.
    if (error instanceof Refusal) return failed(error.message)
    throw error
  }
}

/** The next turn and what it publishes; or why it cannot be made. */
export async function readyTurn(
  deps: RecycleDeps,
  rule: RecyclingRule,
  ruleId: string,
  signal: AbortSignal,
): Promise<ReadyTurn | { readonly error: string }> {
  const made = await recycledContent(deps, rule, signal)
  if (made.outcome === 'failed') return made
  const { content, rewritings } = made
  const number = numberOfTurn(rule)
  return { number, postId: resourceId('post', derivedUlid('recycle', ruleId, number)), content, rewritings }
}

/** Queues the post of a turn that has started, and ends the turn. */
export async function finishTurn(
  deps: CommandDeps,
  ruleId: string,
  rule: RecyclingRule,
  { postId, content }: NonNullable<RecyclingRule['turn']>,
): Promise<void> {
  // Each is caused by the event before it, whose id derives from its own cause.
  const started = derivedId(turnCommand(ruleId, numberOfTurn(rule)), 0)
  const command = { ...content, workspaceId: rule.workspaceId, origin: 'recycling' } as const
  await handle(deps, post, postId, causedBy(ruleId, started), (state) => queuePost(state, command))
  const queued = derivedId(started, 0)
  await handle(deps, recyclingRule, ruleId, causedBy(ruleId, queued), (state) =>
    endTurn(state, postId, deps.clock.now()),
  )
}

export function turnCommand(ruleId: string, number: number): string {
  return derivedId('recycle', ruleId, number)
}

function causedBy(ruleId: string, commandId: string): Cause {
  return { commandId, actor: { kind: 'reactor', id: 'recycle' }, correlationId: ruleId }
}
