import { eventOf, parseStreamName, type RecordedEvent } from '../domain/event.ts'
import { post, targetId, type PostEvent } from '../domain/post.ts'
import type { Projection } from './projection.ts'

/** What kinds of work are owed. Each has a reactor (`reactors/`). */
export const WORK_KINDS = ['publish'] as const
export type WorkKind = (typeof WORK_KINDS)[number]

/** One promise: what is owed, to whom, and from when on. It is gone once an event has kept it. */
export interface AgendaRow {
  readonly id: string
  readonly kind: WorkKind
  /** The stream's id, and which part of it. */
  readonly subject: string
  readonly part: string
  /** Whose turn it is: rows of one lane (an account, a receiver) share a cap, so that none starves another. */
  readonly lane: string
  readonly due_at: string
}

/**
 * The agenda. Nothing is owed anywhere else: rebuilt from the log, it holds every promise again. The lease columns are the
 * dispatcher's (`reactors/leases.ts`).
 */
export const agenda: Projection<AgendaRow> = {
  name: 'agenda',
  version: 1,
  columns: { id: 'text', kind: 'text', subject: 'text', part: 'text', lane: 'text', due_at: 'timestamptz' },
  operational: { lease_token: 'text', lease_owner: 'text', lease_until: 'timestamptz' },
  ofOneStream: true,
  indexes: [
    '(lane, due_at)',
    '(due_at) where lease_until is null',
    '(lease_until) where lease_until is not null',
    '(lane) where lease_token is not null',
  ],
  rowIds: (recorded) => {
    const event = eventOf(post, recorded)
    return event ? targetsOf(event).map((key) => rowId(recorded, targetId(key))) : []
  },
  apply: (row, recorded, id) => {
    const event = eventOf(post, recorded)
    const due = event && dueAt(event, recorded.metadata.at)
    if (due === undefined) return row
    if (due === 'settled') return undefined
    const part = id.slice(rowId(recorded, '').length)
    return {
      id,
      kind: 'publish',
      subject: parseStreamName(recorded.stream).id,
      part,
      lane: part.slice(part.indexOf('/') + 1),
      due_at: due,
    }
  },
}

function rowId(recorded: RecordedEvent, part: string): string {
  return `publish:${parseStreamName(recorded.stream).id}:${part}`
}

function targetsOf(event: PostEvent): readonly { platform: string; accountId: string }[] {
  switch (event.type) {
    case 'PostQueued':
      return Object.entries(event.data.selections).flatMap(([platform, accountIds]) =>
        accountIds.map((accountId) => ({ platform, accountId })),
      )
    case 'RetryRequested':
      return event.data.accountIds.map((accountId) => ({ platform: event.data.platform, accountId }))
    case 'PlatformRefused':
    case 'PostFinished':
      return []
    default:
      return [event.data]
  }
}

/** When the work is due after an event, `settled` when nothing is owed any more, undefined when it changes nothing. */
function dueAt(event: PostEvent, now: string): string | 'settled' | undefined {
  switch (event.type) {
    case 'PostQueued':
    case 'RetryRequested':
    case 'FirstCommentQueued':
      return now
    case 'PublishProgressed':
      return event.data.lookAt
    case 'PublishDeferred':
    case 'FirstCommentDeferred':
      return event.data.retryAt
    case 'AccountPublished':
    case 'AccountPublishFailed':
    case 'FirstCommentPosted':
    case 'FirstCommentFailed':
      return 'settled'
    default:
      return undefined
  }
}
