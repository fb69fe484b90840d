import { isQueued, post, type PostContent } from '../../domain/post/post.ts'
import { recyclingRule } from '../../domain/recycling/recycling-rule.ts'
import { fireSchedule } from '../../commands/fire-schedule.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { isTurnDue, startTurn } from '../../commands/recycle-turn.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { finishTurn, readyTurn, turnCommand } from '../publishing/recycle.ts'

/** A post that should have been created at a time that has passed: by a schedule, or by a turn of a recycling rule. */
export interface Planned {
  readonly postId: string
  readonly content: PostContent
  /** ISO 8601 UTC. */
  readonly dueAt: string
  /** Why its text is unknown. */
  readonly notSearchable?: string
  /** Creates the post. */
  make(): Promise<void>
}

/** @returns undefined when it has been created, or is no longer due */
export async function scheduledPost(deps: CommandDeps, postId: string): Promise<Planned | undefined> {
  const state = await load(deps.log, post, postId)
  if (isQueued(state) || state.status !== 'pending') return undefined
  const { content, due } = state
  return {
    ...{ postId, content, dueAt: due.dueAt },
    make: async () => {
      const cause = causedBy(derivedId('restored', postId, 'fire'), postId)
      // Fire as if on time: late or not, it may be live.
      await handle(deps, post, postId, cause, (now) => fireSchedule(now, Date.parse(due.dueAt), 0))
    },
  }
}

/**
 * @param since when the log was restored, ms since the epoch
 * @returns undefined when no turn is due; a reason when its post cannot be created
 */
export async function recycledPost(
  deps: CommandDeps,
  ruleId: string,
  since: number,
  signal: AbortSignal,
): Promise<Planned | { readonly workspaceId: string; readonly dueAt: string; readonly error: string } | undefined> {
  const rule = await load(deps.log, recyclingRule, ruleId)
  if (rule.status === 'absent' || !rule.dueWork) return undefined
  const { workspaceId, turn, nextRecycleAt, rewriteCaption } = rule
  // A turn that was requested, or has started, may be ahead of schedule.
  const dueAt = nextRecycleAt < rule.dueWork.dueAt ? nextRecycleAt : rule.dueWork.dueAt
  if (turn) {
    const content = { ...turn.content, workspaceId }
    return { postId: turn.postId, content, dueAt, make: () => finishTurn(deps, ruleId, rule, turn) }
  }
  if (!isTurnDue(rule, since)) return undefined
  const ready = await readyTurn({ ...deps, textModel: undefined }, { ...rule, rewriteCaption: false }, ruleId, signal)
  if ('error' in ready) return { workspaceId, dueAt, error: ready.error }
  return {
    ...{ postId: ready.postId, content: { ...ready.content, workspaceId }, dueAt },
    ...(rewriteCaption && {
      notSearchable: 'Its caption is rewritten each time it is recycled, so it cannot be recognized.',
    }),
    make: async () => {
      const cause = causedBy(turnCommand(ruleId, ready.number), ruleId)
      const asItWas = rewriteCaption ? { ...ready, rewritings: [] } : ready
      const { state } = await handle(deps, recyclingRule, ruleId, cause, (now) =>
        startTurn(now, asItWas, deps.clock.now()),
      )
      if (state.status !== 'absent' && state.turn) await finishTurn(deps, ruleId, state, state.turn)
    },
  }
}

function causedBy(commandId: string, correlationId: string) {
  return { commandId, actor: { kind: 'reactor', id: 'restored' }, correlationId } as const
}
