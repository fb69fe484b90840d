import { eventOf, type RecordedEvent } from '../core/event.ts'
import { channel } from '../notification/channel.ts'
import { draft, maySee } from '../post/draft.ts'

/** An event without what only its author sees: the content of a private draft, and the address of a user's own channel. */
export function disclosedTo(readerId: string, recorded: RecordedEvent): RecordedEvent {
  if (recorded.unreadable) return recorded
  const { data } = recorded
  const drafted = eventOf(draft, recorded)
  if (drafted?.type === 'DraftSaved' && !maySee(drafted.data, readerId)) {
    return { ...recorded, data: { ...data, content: {} } }
  }
  const added = eventOf(channel, recorded)
  if (added?.type !== 'ChannelAdded' || (added.data.userId ?? readerId) === readerId) return recorded
  return { ...recorded, data: { ...data, address: '', label: '' } }
}
