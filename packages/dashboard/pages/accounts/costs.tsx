import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../../client/client.ts'
import { usePlatformName } from '../../parts/accounts.tsx'
import { dollars } from '../../parts/money.ts'
import { Card } from '../../parts/shown.tsx'

/** What platforms have charged this month; nothing where all of them are free. */
export function Costs() {
  const nameOf = usePlatformName()
  // Nothing on this page depends on it, so there is nothing to show while it cannot be read.
  const { data } = useQuery({ queryKey: ['account', 'costs'], queryFn: () => answered(api.GET('/costs')) })
  if (!data || data.costs.length === 0) return null
  return (
    <Card title={t`Costs this month`}>
      {data.costs.map(({ platform, usd, asOf, kinds }) => {
        const amount = dollars(usd)
        return (
          <div key={platform}>
            <p className="big">
              <Trans>
                {{ platform: nameOf(platform) }}: about <strong>{amount}</strong>
              </Trans>
            </p>
            <p>{kinds.map(({ count, label, usd }) => `${count} ${label} (${dollars(usd)})`).join(', ')}</p>
            <p className="hint">
              <Trans>
                At the prices of {asOf}. The platform's own bill is higher by reads that leave no trace here.
              </Trans>
            </p>
          </div>
        )
      })}
    </Card>
  )
}
