import { Choice } from './fields.tsx'

const TIMES: readonly (readonly [number, string])[] = [
  [0, 'Not at all: publish at once'],
  [10, '10 seconds'],
  [30, '30 seconds'],
  [60, '1 minute'],
  [300, '5 minutes'],
  [600, '10 minutes'],
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
  const isListed = value === null || TIMES.some(([seconds]) => seconds === value)
  const times = isListed ? TIMES : [...TIMES, [value, `${value} seconds`] as const]
  const options = times.map(([seconds, label]) => ({ value: String(seconds), label }))
  return (
    <Choice
      label="Posts can be taken back for"
      value={value === null ? '' : String(value)}
      options={[...(inWorkspace ? [{ value: '', label: 'As long as in the workspace' }] : []), ...options]}
      onChange={(chosen) => onChange(chosen === '' ? null : Number(chosen))}
      hint="What is published at once waits this long first."
    />
  )
}
