import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { answered, api } from '../client/client.ts'
import { useChange, usePlatforms } from '../client/queries.ts'
import type { SlotPlan } from '../client/types.ts'
import { usePlatformName } from '../parts/accounts.tsx'
import { Actions, Button } from '../parts/buttons.tsx'
import { Choice, Field } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty, Loading, Moment, Problem } from '../parts/shown.tsx'
import { OWN_ZONE, ZONES } from '../parts/time.ts'
import { dayLabel } from '../parts/weekdays.ts'
import { DAYS, DEFAULT, NO_TIMES, planOf, typed, type Day, type Typed } from './slots/plan.ts'

const NEXT_SHOWN = 5

export default function Slots() {
  const plan = useQuery({
    queryKey: ['slots'],
    queryFn: () => answered(api.GET('/slots')),
    staleTime: Infinity,
    gcTime: 0,
  })
  return (
    <Page title={t`Slots`} intro={t`The times of the week at which you post. Compose offers the next free one.`}>
      {plan.error && <Problem error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.isPending && <Loading lines={4} />}
      {plan.data && <PlanForm saved={plan.data} />}
      <Card title={t`Next free slots`}>
        <NextSlots />
      </Card>
    </Page>
  )
}

function PlanForm({ saved }: { readonly saved: SlotPlan }) {
  const isNew = saved.default.length === 0 && Object.keys(saved.platforms).length === 0
  const [plan, setPlan] = useState<Typed>(() => typed(isNew ? { ...saved, timezone: OWN_ZONE } : saved))
  const nameOf = usePlatformName()
  const { data: platforms = [] } = usePlatforms()
  const save = useChange({
    change: (written: Typed) => answered(api.PUT('/slots', { body: planOf(written) })),
    touches: ['slots'],
    done: t`Saved.`,
    showsProblem: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(plan)
  }
  const setPlans = (plans: Typed['plans']) => setPlan((now) => ({ ...now, plans }))
  const others = platforms.filter(({ key }) => !(key in plan.plans))

  return (
    <Form onSubmit={submit} className="stack">
      {Object.entries(plan.plans).map(([name, times]) => {
        const { [name]: _, ...rest } = plan.plans
        return (
          <Card key={name} title={name === DEFAULT ? t`Every platform` : t`Only ${{ platform: nameOf(name) }}`}>
            <div className="stack">
              <p className="hint">
                <Trans>Separate times with commas, such as 09:00, 17:30.</Trans>
              </p>
              <Week times={times} onChange={(changed) => setPlans({ ...plan.plans, [name]: changed })} />
              {name !== DEFAULT && (
                <Actions>
                  <Button onPress={() => setPlans(rest)}>
                    <Trans>Use the times of every platform</Trans>
                  </Button>
                </Actions>
              )}
            </div>
          </Card>
        )
      })}
      {save.error && <Problem error={save.error} />}
      <div className="row">
        <Choice
          label={t`Time zone`}
          value={plan.timezone}
          options={ZONES}
          onChange={(timezone) => setPlan((now) => ({ ...now, timezone }))}
        />
        <Choice
          label={t`Other times for one platform`}
          value=""
          options={[{ value: '', label: t`Choose` }, ...others.map(({ key, name }) => ({ value: key, label: name }))]}
          onChange={(key) => setPlans({ ...plan.plans, [key]: plan.plans[DEFAULT] ?? NO_TIMES })}
        />
      </div>
      <Actions>
        <Button look="main" type="submit" isPending={save.isPending}>
          <Trans>Save</Trans>
        </Button>
      </Actions>
    </Form>
  )
}

function Week(props: {
  readonly times: Readonly<Record<Day, string>>
  readonly onChange: (times: Readonly<Record<Day, string>>) => void
}) {
  const { times, onChange } = props
  return (
    <div className="row">
      {DAYS.map((day) => (
        <Field
          key={day}
          label={dayLabel(day)}
          value={times[day]}
          onChange={(text) => onChange({ ...times, [day]: text })}
        />
      ))}
    </div>
  )
}

function NextSlots() {
  const next = useQuery({
    queryKey: ['slots', 'next'],
    queryFn: () => answered(api.GET('/slots/next', { params: { query: { limit: NEXT_SHOWN } } })),
  })
  if (next.error) return <Problem error={next.error} onRetry={() => void next.refetch()} />
  if (next.isPending) return <Loading />
  if (next.data.slots.length === 0)
    return (
      <Empty title={t`No slots yet`}>
        <Trans>Enter times above, such as 09:00.</Trans>
      </Empty>
    )
  return (
    <ul>
      {next.data.slots.map(({ scheduledAtUtc }) => (
        <li key={scheduledAtUtc}>
          <Moment at={scheduledAtUtc} />
        </li>
      ))}
    </ul>
  )
}
