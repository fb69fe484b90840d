import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ScheduledPost } from '../client/types.ts'
import { Actions, Button, ButtonLink } from '../parts/buttons.tsx'
import { Segments } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Loading, Problem } from '../parts/shown.tsx'
import { clockOf, instantOf, OWN_ZONE, today } from '../parts/time.ts'
import { useUrlState } from '../parts/url-state.ts'
import { readEntries } from './calendar/entries.ts'
import { ImportCsv } from './calendar/import-csv.tsx'
import { Month } from './calendar/month.tsx'
import { nameOfRange, rangeOf, stepped, type View } from './calendar/range.ts'
import { Week } from './calendar/week.tsx'
import { Reschedule, useReschedule } from './posts/scheduled-actions.tsx'

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

  /** Without an hour, the time of day stays the same in the user's zone. */
  const moveTo = (id: string, date: string, hour?: number) => {
    const post = entries.data?.scheduled.find((scheduled) => scheduled.id === id)
    if (!post) return
    const time = clockOf(post.scheduledAtUtc)
    const to = instantOf(date, hour === undefined ? time : `${String(hour).padStart(2, '0')}${time.slice(2)}`)
    if (Date.parse(to) !== Date.parse(post.scheduledAtUtc)) move.mutate({ id, to })
  }
  const shown = { days, entries: entries.data, onMove: moveTo, onOpen: setOpened }

  return (
    <Page
      title="Calendar"
      intro={`Drag a post to another ${view === 'week' ? 'hour' : 'day'}, or open it to set its time. Times in ${OWN_ZONE.replaceAll('_', ' ')}.`}
      actions={
        <>
          <ImportCsv />
          <ButtonLink to={`/compose?date=${day < today() ? today() : day}`} look="main">
            Compose
          </ButtonLink>
        </>
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
        <div aria-busy={entries.isFetching}>
          {view === 'week' ? <Week {...shown} /> : <Month {...shown} month={day.slice(0, 7)} />}
        </div>
        {entries.isPending && <Loading lines={2} />}
        {entries.data?.isCut && (
          <p className="hint">Some posts are not shown. Choose a shorter period to see them all.</p>
        )}
      </Card>
      {opened && <Reschedule key={opened.id} post={opened} isOpen onClose={() => setOpened(undefined)} />}
    </Page>
  )
}
