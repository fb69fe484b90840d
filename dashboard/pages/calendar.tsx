import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ScheduledPost } from '../client/types.ts'
import { Actions, Button, ButtonLink } from '../parts/buttons.tsx'
import { Segments } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Loading, Problem } from '../parts/shown.tsx'
import { clockOf, dayOf, instantOf, OWN_ZONE, today } from '../parts/time.ts'
import { useUrlState } from '../parts/url-state.ts'
import { Day } from './calendar/day.tsx'
import { readEntries } from './calendar/entries.ts'
import { nameOfRange, rangeOf, stepped, type View } from './calendar/range.ts'
import { Reschedule, useReschedule } from './posts/scheduled-actions.tsx'

const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'short' })

export default function Calendar() {
  const [view, setView] = useUrlState<View>('view', 'month')
  const [day, setDay] = useUrlState<string>('day', today())
  const [opened, setOpened] = useState<ScheduledPost>()
  const days = rangeOf(view, day)
  const [first = day] = days
  const last = days.at(-1) ?? day
  const entries = useQuery({
    queryKey: ['scheduled-post', 'calendar', first, last],
    queryFn: () => readEntries(first, last),
    placeholderData: (before) => before,
  })
  const move = useReschedule()

  /** To another day, at the time that it has, in the user's zone. */
  const moveTo = (id: string, to: string) => {
    const post = entries.data?.scheduled.find((scheduled) => scheduled.id === id)
    if (!post || dayOf(post.scheduledAtUtc) === to) return
    move.mutate({ id, to: instantOf(to, clockOf(post.scheduledAtUtc)) })
  }

  return (
    <Page
      title="Calendar"
      intro={`Drag a post to another day to put it off. Times in ${OWN_ZONE.replaceAll('_', ' ')}.`}
      actions={
        <ButtonLink to={`/compose?date=${day < today() ? today() : day}`} look="main">
          Compose
        </ButtonLink>
      }
    >
      <div className="calendar-bar">
        <Segments
          label="View"
          value={view}
          options={[
            { value: 'month', label: 'Month' },
            { value: 'week', label: 'Week' },
          ]}
          onChange={setView}
        />
        <Actions>
          <Button small aria-label={`Previous ${view}`} onPress={() => setDay(stepped(view, day, -1))}>
            ‹
          </Button>
          <Button small onPress={() => setDay(today())}>
            Today
          </Button>
          <Button small aria-label={`Next ${view}`} onPress={() => setDay(stepped(view, day, 1))}>
            ›
          </Button>
        </Actions>
        <h2 aria-live="polite">{nameOfRange(view, day)}</h2>
      </div>
      {entries.error && <Problem error={entries.error} onRetry={() => void entries.refetch()} />}
      <Card>
        <div className="weekdays" aria-hidden>
          {days.slice(0, 7).map((weekday) => (
            <span key={weekday}>{WEEKDAY.format(new Date(`${weekday}T12:00`))}</span>
          ))}
        </div>
        <ol className={`days ${view}`} aria-busy={entries.isFetching}>
          {days.map((date) => (
            <Day
              key={date}
              date={date}
              isOutside={view === 'month' && date.slice(0, 7) !== day.slice(0, 7)}
              scheduled={entries.data?.scheduled.filter((post) => dayOf(post.scheduledAtUtc) === date) ?? []}
              sent={entries.data?.sent.filter((post) => dayOf(post.createdAt) === date) ?? []}
              onDropped={(id) => moveTo(id, date)}
              onOpen={setOpened}
            />
          ))}
        </ol>
        {entries.isPending && <Loading lines={2} />}
        {entries.data?.isCut && <p className="hint">There is more than is shown here.</p>}
      </Card>
      {opened && <Reschedule key={opened.id} post={opened} isOpen onClose={() => setOpened(undefined)} />}
    </Page>
  )
}
