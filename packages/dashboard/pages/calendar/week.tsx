import { useRef } from 'react'
import { dayOf, hourOf, isOver, startOf, timeOfDay, today } from '../../parts/time.ts'
import { EntryList } from './entry.tsx'
import { useArrows, usePlace } from './place.ts'
import { longDay, WEEKDAY, type Shown } from './shown.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** One column per day, one row per hour; on a phone, only the hours with entries, as a list. */
export function Week(shown: Shown) {
  const list = useRef<HTMLOListElement>(null)
  useArrows(list, { columns: HOURS.length, rows: 1 })
  return (
    <ol ref={list} className="week">
      <li className="hour-names" aria-hidden>
        {HOURS.map((hour) => (
          <span key={hour}>{timeOfDay(startOf(today()).setHours(hour))}</span>
        ))}
      </li>
      {shown.days.map((date) => (
        <Day key={date} {...shown} date={date} />
      ))}
    </ol>
  )
}

function Day({ date, ...shown }: Shown & { readonly date: string }) {
  const { scheduled = [], sent = [] } = shown.entries ?? {}
  const entries = {
    isCut: false,
    scheduled: scheduled.filter((post) => dayOf(post.scheduledAtUtc) === date),
    sent: sent.filter((post) => dayOf(post.createdAt) === date),
  }
  const isVacant = entries.scheduled.length + entries.sent.length === 0
  const classes = ['week-day', date === today() && 'today', isVacant && 'vacant']
  return (
    <li aria-label={longDay(date)} className={classes.filter(Boolean).join(' ')}>
      <span className="day-number">
        <time dateTime={date} aria-hidden>
          <span className="day-full">{longDay(date)}</span>
          <span className="day-short">
            {WEEKDAY.format(startOf(date))} {Number(date.slice(8))}
          </span>
        </time>
      </span>
      {HOURS.map((hour) => (
        <Hour key={hour} {...shown} entries={entries} date={date} hour={hour} />
      ))}
    </li>
  )
}

function Hour({ date, hour, entries, onMove, onOpen }: Shown & { readonly date: string; readonly hour: number }) {
  const begins = startOf(date).setHours(hour)
  const ends = startOf(date).setHours(hour + 1)
  const { isDropTarget, props } = usePlace<HTMLDivElement>(isOver(ends), (id) => onMove(id, date, hour))
  const scheduled = entries?.scheduled.filter((post) => hourOf(post.scheduledAtUtc) === hour) ?? []
  const sent = entries?.sent.filter((post) => hourOf(post.createdAt) === hour) ?? []
  const isVacant = scheduled.length + sent.length === 0
  return (
    <div
      {...props}
      role="group"
      aria-label={`${longDay(date)}, ${timeOfDay(begins)}`}
      className={['hour', isDropTarget && 'target', isVacant && 'vacant'].filter(Boolean).join(' ')}
      data-hour={`${date} ${hour}`}
    >
      {!isVacant && <EntryList scheduled={scheduled} sent={sent} onOpen={onOpen} />}
    </div>
  )
}
