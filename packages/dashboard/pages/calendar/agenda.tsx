import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import { Button, ButtonLink } from '../../parts/buttons.tsx'
import { PlatformIcons } from '../../parts/platform-icon.tsx'
import { Thumb } from '../../parts/shown.tsx'
import { addDays, clockOf, dayOf, startOf, timeOfDay, today } from '../../parts/time.ts'
import { locale } from '../../parts/words.ts'
import type { CalendarEntry } from './entries.ts'
import { freeSlotsOf, type FreeSlot } from './free-slots.tsx'
import { longDay, type Shown } from './shown.ts'
import { statusName, StatusShape } from './status.tsx'

/** A day with entries, or the days of a gap. */
interface Part {
  readonly days: readonly string[]
  readonly entries: readonly CalendarEntry[]
}

const shortDay = new Intl.DateTimeFormat(locale(), { weekday: 'short', day: 'numeric', month: 'short' })

/** Day after day, with the gaps between them. */
export function Agenda({ days, entriesOn, freeOn, mayWrite, composeAt, onOpen }: Shown) {
  return (
    <ol className="agenda">
      {partsOf(days, entriesOn).map(({ days: of, entries }) => {
        const [day = ''] = of
        return entries.length === 0 ? (
          <Gap key={day} days={of} free={of.flatMap(freeOn)} mayWrite={mayWrite} composeAt={composeAt} />
        ) : (
          <li key={day} data-date={day} aria-label={longDay(day)}>
            <h3 className={day === today() ? 'today' : undefined}>{longDay(day)}</h3>
            <ul className="items">
              {entries.map((entry) => (
                <Row key={entry.id} entry={entry} {...(mayWrite && { onOpen })} />
              ))}
            </ul>
          </li>
        )
      })}
    </ol>
  )
}

/** Neighboring days without entries are one gap, which ends where the future begins. */
function partsOf(days: readonly string[], entriesOn: Shown['entriesOn']): readonly Part[] {
  const parts: Part[] = []
  for (const day of days) {
    const entries = entriesOn(day)
    const before = parts.at(-1)
    if (entries.length === 0 && before?.entries.length === 0 && day !== today()) {
      parts.splice(-1, 1, { days: [...before.days, day], entries })
    } else parts.push({ days: [day], entries })
  }
  return parts
}

interface GapProps extends Pick<Shown, 'mayWrite' | 'composeAt'> {
  readonly days: readonly string[]
  readonly free: readonly FreeSlot[]
}

function Gap({ days, free, mayWrite, composeAt }: GapProps) {
  const [first = '', last = first] = [days[0], days.at(-1)]
  const isOver = last < today()
  const [slot] = free
  const name = shortDay.formatRange(startOf(first), startOf(last))
  return (
    <li className="gap">
      <span>
        <strong>{name}</strong> {isOver ? t`Nothing published` : t`Nothing planned`}
        {slot && ` · ${freeSlotsOf(free.length)}`}
      </span>
      {mayWrite && !isOver && (
        <ButtonLink
          small
          to={
            slot
              ? composeAt(dayOf(slot.at), clockOf(slot.at))
              : composeAt(first < today() ? addDays(today(), 1) : first)
          }
        >
          <Trans>
            Plan a post <span className="visually-hidden">for {name}</span>
          </Trans>
        </ButtonLink>
      )}
    </li>
  )
}

function Row({ entry, onOpen }: { readonly entry: CalendarEntry } & Partial<Pick<Shown, 'onOpen'>>) {
  const { at, status, caption, platforms, image, author, to, scheduled } = entry
  return (
    <li>
      {image && <Thumb url={image} type="image" />}
      <div className="item-body">
        <div className="item-line">
          <span className={`entry-state ${status}`}>
            <StatusShape of={status} /> {statusName(status)}
          </span>
          <strong>{timeOfDay(at)}</strong>
          <PlatformIcons of={platforms} />
          {author && (
            <span className="hint">
              <Trans>by {author}</Trans>
            </span>
          )}
        </div>
        <Link to={to} className="clamp">
          {caption}
        </Link>
      </div>
      {scheduled && onOpen && (
        <Button small onPress={() => onOpen(scheduled)} aria-label={t`Reschedule ${caption}`}>
          <Trans>Reschedule</Trans>
        </Button>
      )}
    </li>
  )
}
