import { Trans } from '@lingui/react/macro'
import { useRef } from 'react'
import { today } from '../../parts/time.ts'
import { EntryList } from './entry.tsx'
import { freeSlotsOf } from './free-slots.tsx'
import { useArrows, usePlace } from './place.ts'
import { longDay, WEEKDAY, type Shown } from './shown.ts'
import { PlanHere } from './plan-here.tsx'

/** Of a day; the week has the rest. */
const SHOWN = 4

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

function Day(props: Shown & { readonly date: string; readonly isOutside: boolean }) {
  const { date, isOutside, entriesOn, freeOn, mayWrite, composeAt, onMove, onOpen, onDay } = props
  const { isDropTarget, props: place } = usePlace<HTMLLIElement>(date < today(), (id) => onMove(id, date))
  const entries = entriesOn(date)
  const name = longDay(date)
  const classes = [
    'day',
    isOutside && 'outside',
    date === today() && 'today',
    isDropTarget && 'target',
    entries.length === 0 && 'vacant',
  ]
  const free = freeOn(date).length
  const more = entries.length - SHOWN
  return (
    <li {...place} aria-label={name} className={classes.filter(Boolean).join(' ')} data-date={date}>
      {mayWrite && date >= today() && <PlanHere day={date} composeAt={composeAt} />}
      <span className="day-number">
        <time dateTime={date} aria-hidden>
          <span className="day-full">{name}</span>
          <span className="day-short">{Number(date.slice(8))}</span>
        </time>
        {free > 0 && (
          <button type="button" className="free-of-day" onClick={() => onDay(date)}>
            {freeSlotsOf(free)}
            <span className="visually-hidden">, {name}</span>
          </button>
        )}
      </span>
      <EntryList entries={more > 1 ? entries.slice(0, SHOWN) : entries} mayWrite={mayWrite} onOpen={onOpen} />
      {more > 1 && (
        <button type="button" className="more-of-day" onClick={() => onDay(date)}>
          <Trans>
            {more} more <span className="visually-hidden">on {name}</span>
          </Trans>
        </button>
      )}
    </li>
  )
}
