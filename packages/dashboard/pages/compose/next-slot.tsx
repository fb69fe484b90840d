import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answered, api } from '../../client/client.ts'
import type { Selections } from '../../client/types.ts'
import { Loading, Moment, Problem } from '../../parts/shown.tsx'

interface NextSlotProps {
  readonly selections: Selections
  /** The post, if it is scheduled already. */
  readonly postId?: string | undefined
}

/** The time that a post to these accounts would get. */
export function NextSlot({ selections, postId }: NextSlotProps) {
  const accountIds = Object.values(selections).flat().join(',')
  const next = useQuery({
    queryKey: ['slots', 'next', accountIds, postId],
    queryFn: () =>
      answered(api.GET('/slots/next', { params: { query: { accountIds, limit: 1, ...(postId && { postId }) } } })),
    enabled: accountIds !== '',
  })
  if (accountIds === '')
    return (
      <p className="hint">
        <Trans>Choose at least one account to see the time.</Trans>
      </p>
    )
  if (next.error) return <Problem error={next.error} />
  if (next.isPending) return <Loading lines={1} />
  const [slot] = next.data.slots
  if (slot) {
    return (
      <p>
        <Moment at={slot.scheduledAtUtc} />{' '}
        <Link to="/settings/slots">
          <Trans>Change slots</Trans>
        </Link>
      </p>
    )
  }
  return (
    <p>
      <Trans>
        There is no free slot. <Link to="/settings/slots">Set the times at which you post.</Link>
      </Trans>
    </p>
  )
}
