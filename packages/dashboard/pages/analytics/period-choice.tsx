import { t } from '@lingui/core/macro'
import { Choice, Field } from '../../parts/fields.tsx'
import { movedBy, utcToday } from './period.ts'

export interface ChosenPeriod {
  readonly days: string
  readonly from: string
  readonly to: string
}

const OPTIONS = [
  { value: '7', label: t`Last 7 days` },
  { value: '28', label: t`Last 28 days` },
  { value: '90', label: t`Last 90 days` },
  { value: 'own', label: t`From … to …` },
]
/** A range that is begun. */
const BEGUN = 14

export function PeriodChoice(props: {
  readonly value: ChosenPeriod
  readonly onChange: (value: Partial<ChosenPeriod>) => void
}) {
  const { value, onChange } = props
  const choose = (days: string) => {
    const to = utcToday()
    onChange(days === 'own' ? { days, from: movedBy(to, 1 - BEGUN), to } : { days, from: '', to: '' })
  }
  return (
    <>
      <Choice label={t`Period`} value={value.days} options={OPTIONS} onChange={choose} />
      {value.days === 'own' && (
        <>
          <Field
            label={t`From`}
            type="date"
            value={value.from}
            max={value.to}
            onChange={(from) => onChange({ from })}
          />
          <Field label={t`To`} type="date" value={value.to} min={value.from} onChange={(to) => onChange({ to })} />
        </>
      )}
    </>
  )
}
