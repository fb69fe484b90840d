import { handle, type CommandDeps } from '../../commands/handle.ts'
import { raiseNotice } from '../../commands/notification.ts'
import { parseStreamName } from '../../domain/core/event.ts'
import { channel } from '../../domain/notification/channel.ts'
import { notification, notificationId } from '../../domain/notification/notification.ts'
import { slotOf } from '../../domain/notification/schedule.ts'
import type { Notice } from '../../domain/notification/topic.ts'
import type { Database } from '../../infra/postgres/pool.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import { activeChannels, type ChannelRow } from '../../projections/models/channels.ts'
import type { Interest } from '../runtime/follower-checkpoint.ts'
import type { Handler } from '../runtime/follower.ts'
import { receivers, type Change } from '../runtime/receivers.ts'
import { mayBeNotice, NOTICE_CATEGORIES, noticeOf, type Raised } from './notices.ts'

export const NOTIFY: Interest<Change> = {
  name: 'notify',
  categories: [...NOTICE_CATEGORIES, channel.category],
  select: (recorded) => {
    const isChange = parseStreamName(recorded.stream).category === channel.category
    return isChange || mayBeNotice(recorded) ? { recorded, isChange } : undefined
  },
}

/** Adds what happens to the messages of the channels that want it: to each once, however often this runs. */
export function notify(
  deps: CommandDeps & { readonly db: Database; readonly seen: Pick<Seen, 'waitFor'> },
): Handler<Change> {
  const channels = receivers(deps.seen, 'channels', (ids, position) => activeChannels(deps.db, ids, position))
  return async (selected, signal) => {
    channels.note(selected)
    const raised = []
    for (const { recorded, isChange } of selected) {
      const found = isChange ? undefined : await noticeOf(deps.log, recorded)
      if (found) raised.push({ ...found, recorded })
    }
    if (raised.length === 0) return
    const found = await channels.of([...new Set(raised.map(({ workspaceId }) => workspaceId))], signal)
    for (const { recorded, ...what } of raised) {
      const { workspaceId, notice } = what
      for (const row of found ?? []) {
        if (signal.aborted) return
        if (row.workspaceId === workspaceId && wants(row, what, recorded.position)) {
          await raise(deps, row, notice, { id: recorded.id, at: Date.parse(recorded.metadata.at) })
        }
      }
    }
  }
}

function wants(
  { topics, activePosition, userId }: ChannelRow,
  { notice: { topic }, concerns, except }: Raised,
  position: bigint,
): boolean {
  if (userId !== null && (userId === except || (concerns !== undefined && userId !== concerns))) return false
  return (topics as readonly string[]).includes(topic) && BigInt(activePosition) < position
}

async function raise(
  deps: CommandDeps,
  row: ChannelRow,
  notice: Notice,
  origin: { readonly id: string; readonly at: number },
): Promise<void> {
  const { id: channelId, workspaceId } = row
  const slot = slotOf(row, notice, origin.at)
  // One message per budget and period, however often it is met.
  const id = notificationId(channelId, notice.topic === 'budget.reached' ? notice.id : slot.key)
  const cause = {
    commandId: `${origin.id} ${id}`,
    actor: { kind: 'reactor', id: 'notify' },
    correlationId: notice.about,
  } as const
  await handle(deps, notification, id, cause, (state) => raiseNotice(state, { workspaceId, channelId, notice }, slot))
}
