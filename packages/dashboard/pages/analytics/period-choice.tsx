import { Choice, Field } from '../../parts/fields.tsx'
import { movedBy, utcToday } from './period.ts'

export interface ChosenPeriod {
  readonly days: string
  readonly from: string
  readonly to: string
}

const OPTIONS = [
  { value: '7', label: 'Last 7 days' },
  { value: '28', label: 'Last 28 days' },
  { value: '90', label: 'Last 90 days' },
  { value: 'own', label: 'From … to …' },
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
      <Choice label="Period" value={value.days} options={OPTIONS} onChange={choose} />
      {value.days === 'own' && (
        <>
          <Field label="From" type="date" value={value.from} max={value.to} onChange={(from) => onChange({ from })} />
          <Field label="To" type="date" value={value.to} min={value.from} onChange={(to) => onChange({ to })} />
        </>
      )}
    </>
  )
}
