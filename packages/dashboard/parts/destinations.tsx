import { t } from '@lingui/core/macro'
import { useDestinations } from '../client/queries.ts'
import type { Destination } from '../client/types.ts'
import { Choice } from './fields.tsx'
import { Loading, Problem } from './shown.tsx'

/** Chooses where posts of an account go. `value`: the options of a destination; undefined for the default. */
export function DestinationChoice(props: {
  readonly accountId: string
  readonly label: string
  readonly hint?: string
  /** Whether the default can be chosen, as what a post has that sets nothing. */
  readonly offersDefault?: boolean
  readonly value: Destination['options'] | undefined
  readonly onChange: (options: Destination['options'] | undefined) => void
}) {
  const { accountId, label, hint, offersDefault = false, value, onChange } = props
  const found = useDestinations(accountId)
  if (found.isPending) return <Loading lines={1} />
  if (found.error) return <Problem error={found.error} onRetry={() => void found.refetch()} />
  const standard = found.data.find(({ isDefault }) => isDefault)
  const asText = (options: Destination['options'] | undefined) => (options ? JSON.stringify(options) : '')
  const options = [
    ...(offersDefault ? [{ value: '', label: standard ? t`Default (${standard.label})` : t`Default` }] : []),
    ...found.data.map(({ label, options }) => ({ value: asText(options), label })),
  ]
  return (
    <Choice
      label={label}
      hint={hint}
      value={asText(value ?? (offersDefault ? undefined : standard?.options))}
      options={options}
      onChange={(text) => onChange(found.data.find((one) => asText(one.options) === text)?.options)}
    />
  )
}
