import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../../client/client.ts'
import { usePlatformName } from '../../parts/accounts.tsx'
import { Card } from '../../parts/shown.tsx'

/** What platforms have charged this month; nothing where all of them are free. */
export function Costs() {
  const nameOf = usePlatformName()
  // Nothing on this page depends on it, so there is nothing to show while it cannot be read.
  const { data } = useQuery({ queryKey: ['account', 'costs'], queryFn: () => answered(api.GET('/costs')) })
  if (!data || data.costs.length === 0) return null
  return (
    <Card title="Costs this month">
      {data.costs.map(({ platform, usd, asOf, kinds }) => (
        <div key={platform}>
          <p className="big">
            {nameOf(platform)}: about <strong>${usd.toFixed(2)}</strong>
          </p>
          <p>{kinds.map(({ count, label, usd }) => `${count} ${label} ($${usd.toFixed(2)})`).join(', ')}</p>
          <p className="hint">
            At the prices of {asOf}. The platform's own bill is higher by reads that leave no trace here.
          </p>
        </div>
      ))}
    </Card>
  )
}
