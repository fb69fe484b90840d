import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef } from 'react'
import { hourOf, isOver, startOf, timeOfDay, today } from '../../parts/time.ts'
import type { CalendarEntry } from './entries.ts'
import { EntryList } from './entry.tsx'
import { hourSentence } from '../analytics/best-hours.ts'
import { FreeSlotLink } from './free-slots.tsx'
import { PlanHere } from './plan-here.tsx'
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
  const entries = shown.entriesOn(date)
  const isVacant = entries.length === 0 && shown.freeOn(date).length === 0
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

function Hour(
  props: Shown & { readonly date: string; readonly hour: number; readonly entries: readonly CalendarEntry[] },
) {
  const { date, hour, entries: ofDay, freeOn, bestAt, mayWrite, composeAt, onMove, onOpen } = props
  const begins = startOf(date).setHours(hour)
  const ends = startOf(date).setHours(hour + 1)
  const { isDropTarget, props: place } = usePlace<HTMLDivElement>(isOver(ends), (id) => onMove(id, date, hour))
  const entries = ofDay.filter(({ at }) => hourOf(at) === hour)
  const free = freeOn(date).filter(({ at }) => hourOf(at) === hour)
  const best = bestAt(date, hour)
  const isVacant = entries.length === 0 && free.length === 0
  const name = `${longDay(date)}, ${timeOfDay(begins)}`
  const classes = ['hour', isDropTarget && 'target', isVacant && 'vacant', best && 'best']
  return (
    <div
      {...place}
      role="group"
      aria-label={best ? t`${name}, one of the best times` : name}
      title={best && hourSentence(best)}
      className={classes.filter(Boolean).join(' ')}
      data-hour={`${date} ${hour}`}
    >
      {mayWrite && !isOver(begins) && <PlanHere day={date} hour={hour} composeAt={composeAt} />}
      {best && (
        <span className="best-note" aria-hidden>
          <Trans>Best time</Trans>
        </span>
      )}
      {entries.length > 0 && <EntryList entries={entries} mayWrite={mayWrite} onOpen={onOpen} />}
      {free.map((slot) => (
        <FreeSlotLink key={slot.at} of={slot} composeAt={composeAt} />
      ))}
    </div>
  )
}
