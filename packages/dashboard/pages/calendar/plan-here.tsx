import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import { useBack } from '../../parts/back.ts'
import { timeOfDay } from '../../parts/time.ts'
import { longDay, type Shown } from './shown.ts'

/**
 * The free room of a slot: a click there begins a post for it. Not a stop of the Tab key, of which there would be hundreds; the list
 * has one for each gap.
 *
 * @param hour 0 to 23
 */
export function PlanHere(props: Pick<Shown, 'composeAt'> & { readonly day: string; readonly hour?: number }) {
  const { day, hour, composeAt } = props
  const time = hour === undefined ? undefined : `${String(hour).padStart(2, '0')}:00`
  const name = time === undefined ? longDay(day) : `${longDay(day)}, ${timeOfDay(`${day}T${time}`)}`
  return (
    <Link
      state={useBack()}
      to={composeAt(day, time)}
      className="plan-here"
      tabIndex={-1}
      draggable={false}
      aria-label={t`Plan a post for ${name}`}
    >
      <span aria-hidden>+</span>
    </Link>
  )
}
