import { t } from '@lingui/core/macro'
import { useDrag } from 'react-aria'
import { Button } from 'react-aria-components'
import { Link } from 'react-router'
import type { ScheduledPost } from '../../client/types.ts'
import { PlatformIcons } from '../../parts/platform-icon.tsx'
import { Thumb } from '../../parts/shown.tsx'
import { timeOfDay } from '../../parts/time.ts'
import type { CalendarEntry } from './entries.ts'
import { POST_ID } from './place.ts'
import type { Shown } from './shown.ts'
import { statusName, StatusShape } from './status.tsx'

/** The entries of one calendar slot, earliest first. */
export function EntryList({
  entries,
  mayWrite,
  onOpen,
}: Pick<Shown, 'mayWrite' | 'onOpen'> & { readonly entries: readonly CalendarEntry[] }) {
  return (
    <ul>
      {entries.map((entry) =>
        entry.scheduled && mayWrite ? (
          <Movable key={entry.id} entry={entry} post={entry.scheduled} onOpen={onOpen} />
        ) : (
          <li key={entry.id}>
            <Link to={entry.to} className={`entry ${entry.status}`}>
              <Content of={entry} />
            </Link>
          </li>
        ),
      )}
    </ul>
  )
}

/** Draggable anywhere by mouse, and by its handle with the keyboard or a screen reader. */
function Movable(props: {
  readonly entry: CalendarEntry
  readonly post: ScheduledPost
  readonly onOpen: (post: ScheduledPost) => void
}) {
  const { entry, post, onOpen } = props
  const { dragProps, dragButtonProps, isDragging } = useDrag({
    getItems: () => [{ [POST_ID]: post.id }],
    getAllowedDropOperations: () => ['move'],
    hasDragButton: true,
  })
  return (
    <li {...dragProps} className={`entry movable ${entry.status}${isDragging ? ' dragged' : ''}`}>
      <Button className="entry-open" onPress={() => onOpen(post)}>
        <Content of={entry} />
        <span className="visually-hidden">, {t`reschedule`}</span>
      </Button>
      <Button {...dragButtonProps} className="grip" aria-label={t`Move ${entry.caption}`}>
        ⠿
      </Button>
    </li>
  )
}

function Content({ of: { at, status, caption, platforms, image } }: { readonly of: CalendarEntry }) {
  return (
    <>
      <span className="entry-head">
        <StatusShape of={status} />
        <span className="visually-hidden">{statusName(status)}, </span>
        <span className="entry-time">{timeOfDay(at)}</span>
        <PlatformIcons of={platforms} />
      </span>
      <span className="entry-body">
        {image && <Thumb url={image} type="image" />}
        <span className="entry-caption">{caption}</span>
      </span>
    </>
  )
}
