import { plural, t } from '@lingui/core/macro'
import { Choice } from './fields.tsx'

const MINUTE = 60
const minutes = (count: number) => plural(count, { one: '# minute', other: '# minutes' })
const seconds = (count: number) => plural(count, { one: '# second', other: '# seconds' })
const TIMES: readonly (readonly [number, string])[] = [
  [0, t`Not at all: publish at once`],
  ...[10, 30].map((count) => [count, seconds(count)] as const),
  ...[1, 5, 10].map((count) => [count * MINUTE, minutes(count)] as const),
]

/** How long a post can be taken back before it is published. */
export function UndoChoice(props: {
  readonly value: number | null
  readonly onChange: (seconds: number | null) => void
  /** Whether null is offered: as in the workspace. */
  readonly inWorkspace?: boolean
}) {
  const { value, onChange, inWorkspace = false } = props
  // The command line and the API can set any other.
  const isListed = value === null || TIMES.some(([listed]) => listed === value)
  const times = isListed ? TIMES : [...TIMES, [value, seconds(value)] as const]
  const options = times.map(([time, label]) => ({ value: String(time), label }))
  return (
    <Choice
      label={t`Posts can be taken back for`}
      value={value === null ? '' : String(value)}
      options={[...(inWorkspace ? [{ value: '', label: t`As long as in the workspace` }] : []), ...options]}
      onChange={(chosen) => onChange(chosen === '' ? null : Number(chosen))}
      hint={t`What is published at once waits this long first.`}
    />
  )
}
