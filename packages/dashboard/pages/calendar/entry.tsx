import { useDrag } from 'react-aria'
import { Button } from 'react-aria-components'
import { Link } from 'react-router'
import type { Post, ScheduledPost } from '../../client/types.ts'
import { approvalAwaited, shownStatus } from '../../parts/shown.tsx'
import { timeOfDay } from '../../parts/time.ts'
import { POST_ID } from './place.ts'

/** The entries of one calendar slot, earliest first. */
export function EntryList(props: {
  readonly scheduled: readonly ScheduledPost[]
  readonly sent: readonly Post[]
  readonly onOpen: (post: ScheduledPost) => void
}) {
  const { scheduled, sent, onOpen } = props
  return (
    <ul>
      {sent.toReversed().map((post) => (
        <li key={post.id}>
          <Link to={`/posts/${post.id}`} className={`entry ${shownStatus(post)}`}>
            <span className="entry-time">{timeOfDay(post.createdAt)}</span> {post.caption || 'No caption'}
            <span className="visually-hidden">, {shownStatus(post).replace('_', ' ')}</span>
          </Link>
        </li>
      ))}
      {scheduled.map((post) => (
        <Entry key={post.id} post={post} onOpen={() => onOpen(post)} />
      ))}
    </ul>
  )
}

/** Draggable anywhere by mouse, and by its handle with the keyboard or a screen reader. */
function Entry({ post, onOpen }: { readonly post: ScheduledPost; readonly onOpen: () => void }) {
  const { dragProps, dragButtonProps, isDragging } = useDrag({
    getItems: () => [{ [POST_ID]: post.id }],
    getAllowedDropOperations: () => ['move'],
    hasDragButton: true,
  })
  const caption = post.caption || 'No caption'
  const awaited = approvalAwaited(post)
  return (
    <li {...dragProps} className={isDragging ? 'entry pending dragged' : 'entry pending'}>
      <Button {...dragButtonProps} className="grip" aria-label={`Move ${caption}`}>
        ⠿
      </Button>
      <Button
        className="entry-open"
        onPress={onOpen}
        aria-label={`${timeOfDay(post.scheduledAtUtc)} ${caption}, ${awaited ? 'not approved, ' : ''}reschedule`}
      >
        <span className="entry-time">{timeOfDay(post.scheduledAtUtc)}</span>{' '}
        {awaited && <span title="Not approved">◌ </span>}
        {caption}
      </Button>
    </li>
  )
}
