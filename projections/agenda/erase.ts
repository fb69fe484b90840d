import { eventOf, parseStreamName, type RecordedEvent } from '../../domain/core/event.ts'
import { erasure } from '../../domain/workspace/erasure.ts'
import { workspace, type WorkspaceEvent } from '../../domain/workspace/workspace.ts'
import type { PromiseKind } from './promise.ts'

/** The part of the due work that erases a whole workspace. */
export const WORKSPACE_PART = 'workspace'

/** An erasure, or that of a whole workspace, until it is finished. Concurrency group: the workspace. */
export const erase: PromiseKind = {
  names: (recorded) => (eventOf(erasure, recorded) || closing(recorded) ? [parseStreamName(recorded.stream).id] : []),
  apply: (_promise, recorded, subject) => {
    const { at: dueAt } = recorded.metadata
    if (closing(recorded)?.type === 'WorkspaceClosed') return { subject, part: WORKSPACE_PART, lane: subject, dueAt }
    const event = eventOf(erasure, recorded)
    if (event?.type !== 'ErasureRequested') return undefined
    return { subject, part: '', lane: event.data.workspaceId, dueAt }
  },
}

/** Not every event of a workspace: one that this version cannot read must not stop all due work. */
function closing(recorded: RecordedEvent) {
  return CLOSING.includes(recorded.type) ? eventOf(workspace, recorded) : undefined
}

const CLOSING: readonly string[] = ['WorkspaceClosed', 'WorkspaceErased'] satisfies WorkspaceEvent['type'][]
