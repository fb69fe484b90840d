import { Trans } from '@lingui/react/macro'
import { useDueWork } from '../client/queries.ts'
import { Moment } from './shown.tsx'
import { isOver } from './time.ts'

/** When posts wait because of maintenance. @param ifNow not before it begins */
export function Maintenance({ ifNow = false }: { readonly ifNow?: boolean }) {
  const { maintenance } = useDueWork().data ?? {}
  if (!maintenance || (ifNow && !isOver(Date.parse(maintenance.from)))) return null
  const { from, until } = maintenance
  return (
    <p className="notice" role="status">
      <Trans>
        Maintenance from <Moment at={from} /> to <Moment at={until} />: posts that are due then are published at its
        end.
      </Trans>
    </p>
  )
}
