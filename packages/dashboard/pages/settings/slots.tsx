import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { Link } from 'react-router'
import { answered, api } from '../../client/client.ts'
import { useChange, usePlatforms } from '../../client/queries.ts'
import type { SlotPlan } from '../../client/types.ts'
import { usePlatformName } from '../../parts/accounts.tsx'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Choice, Field } from '../../parts/fields.tsx'
import { Page } from '../../parts/page.tsx'
import { Card, Empty, Loading, Moment, Problem } from '../../parts/shown.tsx'
import { OWN_ZONE, zoneName } from '../../parts/time.ts'
import { dayLabel } from '../../parts/weekdays.ts'
import { useWorkspace } from './workspace.ts'
import { DAYS, DEFAULT, NO_TIMES, planOf, typed, type Day, type Typed } from './slots/plan.ts'

const NEXT_SHOWN = 5

export default function Slots() {
  const plan = useQuery({
    queryKey: ['slots'],
    queryFn: () => answered(api.GET('/slots')),
    staleTime: Infinity,
    gcTime: 0,
  })
  const workspace = useWorkspace()
  return (
    <Page title={t`Slots`} intro={t`The times of the week at which you post. Compose offers the next free one.`}>
      {plan.error && <Problem error={plan.error} onRetry={() => void plan.refetch()} />}
      {workspace.error && <Problem error={workspace.error} onRetry={() => void workspace.refetch()} />}
      {(plan.isPending || workspace.isPending) && <Loading lines={4} />}
      {plan.data && workspace.data && <PlanForm saved={plan.data} timezone={workspace.data.timezone ?? OWN_ZONE} />}
      <Card title={t`Next free slots`}>
        <NextSlots />
      </Card>
    </Page>
  )
}

function PlanForm({ saved, timezone }: { readonly saved: SlotPlan; readonly timezone: string }) {
  const [plans, setPlans] = useState<Typed>(() => typed(saved))
  const nameOf = usePlatformName()
  const { data: platforms = [] } = usePlatforms()
  const save = useChange({
    change: (written: Typed) => answered(api.PUT('/slots', { body: planOf(written, timezone) })),
    touches: ['slots', 'workspace'],
    done: t`Saved.`,
    showsProblem: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(plans)
  }
  const others = platforms.filter(({ key }) => !(key in plans))

  return (
    <Form onSubmit={submit} className="stack">
      {Object.entries(plans).map(([name, times]) => {
        const { [name]: _, ...rest } = plans
        return (
          <Card key={name} title={name === DEFAULT ? t`Every platform` : t`Only ${{ platform: nameOf(name) }}`}>
            <div className="stack">
              <p className="hint">
                <Trans>Separate times with commas, such as 09:00, 17:30.</Trans>
              </p>
              <Week times={times} onChange={(changed) => setPlans({ ...plans, [name]: changed })} />
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
          label={t`Other times for one platform`}
          value=""
          options={[{ value: '', label: t`Choose` }, ...others.map(({ key, name }) => ({ value: key, label: name }))]}
          onChange={(key) => setPlans({ ...plans, [key]: plans[DEFAULT] ?? NO_TIMES })}
        />
      </div>
      <p className="hint">
        <Trans>
          Times are in {{ zone: zoneName(timezone) }}. Change the zone under <Link to="/settings/general">General</Link>
          .
        </Trans>
      </p>
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
    <div className="week">
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
