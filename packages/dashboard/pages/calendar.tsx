import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccounts, useSession } from '../client/queries.ts'
import type { ScheduledPost } from '../client/types.ts'
import { AccountFilter } from '../parts/account-filter.tsx'
import { Actions, Button, ButtonLink } from '../parts/buttons.tsx'
import { Choice, Segments } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Loading, Problem } from '../parts/shown.tsx'
import { clockOf, instantOf, OWN_ZONE, today } from '../parts/time.ts'
import { useUrlFilters } from '../parts/url-state.ts'
import styles from '../styles/calendar.page.css'
import { Agenda } from './calendar/agenda.tsx'
import { AuthorFilter } from './calendar/author-filter.tsx'
import { BestTimesLegend, useBestTimes } from './calendar/best-times.tsx'
import { groupedByDay, readEntries, type CalendarEntry } from './calendar/entries.ts'
import { WhatWouldHappen } from './calendar/forecast.tsx'
import { useFreeSlots } from './calendar/free-slots.tsx'
import { ImportCsv } from './calendar/import-csv.tsx'
import { LayerChoice, useLayers, type Layer } from './calendar/layers.tsx'
import { Month } from './calendar/month.tsx'
import { nameOfRange, rangeOf, stepped, type View } from './calendar/range.ts'
import { FILTERS, Legend } from './calendar/status.tsx'
import { useMove } from './calendar/use-move.ts'
import { Week } from './calendar/week.tsx'
import { Reschedule } from './posts/scheduled-actions.tsx'

const IN_URL = ['view', 'day', 'platform', 'account', 'status', 'author'] as const

const STEPS: Readonly<Record<View, { readonly back: string; readonly on: string }>> = {
  month: { back: t`Previous month`, on: t`Next month` },
  week: { back: t`Previous week`, on: t`Next week` },
  list: { back: t`Previous four weeks`, on: t`Next four weeks` },
}

const HINTS: Readonly<Record<View, string>> = {
  month: t`Drag a post to another day, or open it to set its time. Click a day to plan a post.`,
  week: t`Drag a post to another hour, or open it to set its time. Click an hour to plan a post.`,
  list: t`Every post of four weeks, and the days without one.`,
}

export default function Calendar() {
  const [{ view: given, day: givenDay, ...filters }, set] = useUrlFilters(IN_URL)
  const view: View = given === 'week' || given === 'list' ? given : 'month'
  const day = givenDay || today()
  const step = STEPS[view]
  const [opened, setOpened] = useState<ScheduledPost>()
  const [isForecast, setForecast] = useState(false)
  const mayWrite = useSession().permissions.includes('posts:write')
  const days = rangeOf(view, day)
  const [first = day] = days
  const last = days.at(-1) ?? day
  const entries = useQuery({
    queryKey: ['scheduled-post', 'calendar', first, last, filters],
    queryFn: () => readEntries(first, last, filters),
    placeholderData: (before) => before,
  })
  const byDay = groupedByDay(entries.data?.items ?? [])
  const move = useMove()
  const layers = useLayers()
  const free = useFreeSlots(days, filters)
  const best = useBestTimes(filters)
  const offered: readonly Layer[] = [
    ...(mayWrite && free.isKnown ? ['free-slots' as const] : []),
    ...(view === 'week' && best.isKnown ? ['best-times' as const] : []),
  ]
  const isShown = (layer: Layer) => offered.includes(layer) && layers.isShown(layer)

  const { data: accounts = {} } = useAccounts()
  const [platform] = Object.entries(accounts).flatMap(([key, list]) =>
    list.some(({ id }) => id === filters.account) ? [key] : [],
  )
  /** For the account that the calendar is of. */
  const composeAt = (date: string, time?: string) => {
    const of = platform !== undefined && { platform, account: filters.account }
    return `/compose?${new URLSearchParams({ date, ...(time !== undefined && { time }), ...of })}`
  }

  /** Without an hour, the time of day stays the same in the user's zone. */
  const moveTo = (id: string, date: string, hour?: number) => {
    const post = entries.data?.items.find((entry) => entry.id === id)?.scheduled
    if (!post) return
    const from = post.scheduledAtUtc
    const time = clockOf(from)
    const to = instantOf(date, hour === undefined ? time : `${String(hour).padStart(2, '0')}${time.slice(2)}`)
    if (Date.parse(to) !== Date.parse(from)) move({ id, from, to })
  }
  const shown = {
    ...{ days, mayWrite, composeAt, onMove: moveTo, onOpen: setOpened },
    entriesOn: (date: string): readonly CalendarEntry[] => byDay.get(date) ?? [],
    freeOn: isShown('free-slots') ? free.on : () => [],
    bestAt: isShown('best-times') ? best.at : () => undefined,
    onDay: (date: string) => set({ view: 'week', day: date }),
  }
  const isFiltered = Object.values(filters).some((value) => value !== '')

  return (
    <Page
      title={t`Calendar`}
      styles={styles}
      intro={`${mayWrite || view === 'list' ? HINTS[view] : ''} ${t`Times in ${OWN_ZONE.replaceAll('_', ' ')}.`}`}
      actions={
        <>
          <Button aria-expanded={isForecast} onPress={() => setForecast(!isForecast)}>
            <Trans>What would happen</Trans>
          </Button>
          <ImportCsv />
          <ButtonLink to={composeAt(day < today() ? today() : day)} look="main">
            <Trans>Compose</Trans>
          </ButtonLink>
        </>
      }
    >
      <div className="calendar-bar">
        <Segments
          label={t`View`}
          value={view}
          options={[
            { value: 'month', label: t`Month` },
            { value: 'week', label: t`Week` },
            { value: 'list', label: t`List` },
          ]}
          onChange={(value) => set({ view: value === 'month' ? '' : value })}
        />
        <Actions>
          <Button small aria-label={step.back} onPress={() => set({ day: stepped(view, day, -1) })}>
            ‹
          </Button>
          <Button small onPress={() => set({ day: '' })}>
            <Trans>Today</Trans>
          </Button>
          <Button small aria-label={step.on} onPress={() => set({ day: stepped(view, day, 1) })}>
            ›
          </Button>
        </Actions>
        <h2 aria-live="polite">{nameOfRange(view, day)}</h2>
        <LayerChoice of={layers} offered={offered} />
      </div>
      <div className="filters" role="group" aria-label={t`Filters`}>
        <AccountFilter value={filters} onChange={set} />
        <Choice
          label={t`Status`}
          value={filters.status}
          options={[{ value: '', label: t`Any status` }, ...FILTERS]}
          onChange={(status) => set({ status })}
        />
        <AuthorFilter value={filters.author} onChange={(author) => set({ author })} />
        {isFiltered && (
          <Button small onPress={() => set({ platform: '', account: '', status: '', author: '' })}>
            <Trans>Clear filters</Trans>
          </Button>
        )}
      </div>
      {isForecast && <WhatWouldHappen />}
      {entries.error && <Problem error={entries.error} onRetry={() => void entries.refetch()} />}
      <Card>
        <div aria-busy={entries.isFetching}>
          {view === 'week' && <Week {...shown} />}
          {view === 'month' && <Month {...shown} month={day.slice(0, 7)} />}
          {view === 'list' && !entries.isPending && <Agenda {...shown} />}
        </div>
        {entries.isPending && <Loading lines={2} />}
        {entries.data?.isCut && (
          <p className="hint">
            <Trans>Some posts are not shown. Choose a shorter period to see them all.</Trans>
          </p>
        )}
        {view !== 'list' && <Legend>{isShown('best-times') && <BestTimesLegend />}</Legend>}
      </Card>
      {opened && <Reschedule key={opened.id} post={opened} isOpen onClose={() => setOpened(undefined)} />}
    </Page>
  )
}
