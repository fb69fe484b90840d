import { useRef } from 'react'
import { dayOf, today } from '../../parts/time.ts'
import { EntryList } from './entry.tsx'
import { useArrows, usePlace } from './place.ts'
import { longDay, WEEKDAY, type Shown } from './shown.ts'

/** Whole weeks, one cell per day. */
export function Month({ month, ...shown }: Shown & { readonly month: string }) {
  const { days } = shown
  const list = useRef<HTMLOListElement>(null)
  useArrows(list, { columns: 1, rows: 7 })
  return (
    <>
      <div className="weekdays" aria-hidden>
        {days.slice(0, 7).map((date) => (
          <span key={date}>{WEEKDAY.format(new Date(`${date}T12:00`))}</span>
        ))}
      </div>
      <ol ref={list} className="days">
        {days.map((date) => (
          <Day key={date} {...shown} date={date} isOutside={date.slice(0, 7) !== month} />
        ))}
      </ol>
    </>
  )
}

function Day({
  date,
  isOutside,
  entries,
  onMove,
  onOpen,
}: Shown & { readonly date: string; readonly isOutside: boolean }) {
  const { isDropTarget, props } = usePlace<HTMLLIElement>(date < today(), (id) => onMove(id, date))
  const scheduled = entries?.scheduled.filter((post) => dayOf(post.scheduledAtUtc) === date) ?? []
  const sent = entries?.sent.filter((post) => dayOf(post.createdAt) === date) ?? []
  const name = longDay(date)
  const classes = [
    'day',
    isOutside && 'outside',
    date === today() && 'today',
    isDropTarget && 'target',
    scheduled.length + sent.length === 0 && 'vacant',
  ]
  return (
    <li {...props} aria-label={name} className={classes.filter(Boolean).join(' ')} data-date={date}>
      <span className="day-number">
        <time dateTime={date} aria-hidden>
          <span className="day-full">{name}</span>
          <span className="day-short">{Number(date.slice(8))}</span>
        </time>
      </span>
      <EntryList scheduled={scheduled} sent={sent} onOpen={onOpen} />
    </li>
  )
}
