import { useRef } from 'react'
import { useDrag, useDrop } from 'react-aria'
import { Button } from 'react-aria-components'
import { Link } from 'react-router'
import type { Post, ScheduledPost } from '../../client/types.ts'
import { timeOfDay, today } from '../../parts/time.ts'

/** What a dragged post's id travels as. */
const POST_ID = 'application/x-fanfare-scheduled-post'
const wholeDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })

/** A day of the calendar: takes scheduled posts that are dropped on it, unless it is over. */
export function Day(props: {
  readonly date: string
  readonly isOutside: boolean
  readonly scheduled: readonly ScheduledPost[]
  readonly sent: readonly Post[]
  readonly onDropped: (id: string) => void
  readonly onOpen: (post: ScheduledPost) => void
}) {
  const { date, isOutside, scheduled, sent, onDropped, onOpen } = props
  const cell = useRef<HTMLLIElement>(null)
  const isOver = date < today()
  const { dropProps, isDropTarget } = useDrop({
    ref: cell,
    getDropOperation: (types) => (types.has(POST_ID) && !isOver ? 'move' : 'cancel'),
    onDrop: ({ items }) => {
      const [item] = items
      if (item?.kind === 'text') void item.getText(POST_ID).then(onDropped)
    },
  })
  const name = wholeDay.format(new Date(`${date}T12:00`))
  const classes = [
    'day',
    isOutside && 'outside',
    date === today() && 'today',
    isDropTarget && 'target',
    scheduled.length + sent.length === 0 && 'vacant',
  ]
  return (
    <li
      {...dropProps}
      ref={cell}
      tabIndex={-1}
      aria-label={name}
      className={classes.filter(Boolean).join(' ')}
      data-date={date}
    >
      <span className="day-number">
        <time dateTime={date} aria-hidden>
          <span className="day-full">{name}</span>
          <span className="day-short">{Number(date.slice(8))}</span>
        </time>
      </span>
      <ul>
        {sent.map((post) => (
          <li key={post.id}>
            <Link to={`/posts/${post.id}`} className={`entry ${post.status}`}>
              <span className="entry-time">{timeOfDay(post.createdAt)}</span> {post.caption || 'No caption'}
              <span className="visually-hidden">, {post.status.replace('_', ' ')}</span>
            </Link>
          </li>
        ))}
        {scheduled.map((post) => (
          <Entry key={post.id} post={post} onOpen={() => onOpen(post)} />
        ))}
      </ul>
    </li>
  )
}

/** Dragged by the mouse anywhere on it; by the keyboard or a screen reader by its handle. */
function Entry({ post, onOpen }: { readonly post: ScheduledPost; readonly onOpen: () => void }) {
  const { dragProps, dragButtonProps, isDragging } = useDrag({
    getItems: () => [{ [POST_ID]: post.id }],
    getAllowedDropOperations: () => ['move'],
    hasDragButton: true,
  })
  const caption = post.caption || 'No caption'
  return (
    <li {...dragProps} className={isDragging ? 'entry pending dragged' : 'entry pending'}>
      <Button {...dragButtonProps} className="grip" aria-label={`Move ${caption}`}>
        ⠿
      </Button>
      <Button
        className="entry-open"
        onPress={onOpen}
        aria-label={`${timeOfDay(post.scheduledAtUtc)} ${caption}, reschedule`}
      >
        <span className="entry-time">{timeOfDay(post.scheduledAtUtc)}</span> {caption}
      </Button>
    </li>
  )
}
