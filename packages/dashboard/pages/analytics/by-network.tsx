import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useLocation } from 'react-router'
import type { Summary } from '../../client/types.ts'
import { usePlatformName } from '../../parts/accounts.tsx'
import { PlatformIcon } from '../../parts/platform-icon.tsx'
import { Card } from '../../parts/shown.tsx'
import { Change } from './change.tsx'
import { shown, shownRate } from './numbers.ts'

const COLUMNS = [t`Posts`, t`Views`, t`Interactions`, t`Engagement`]

/** The totals of each network; its name leads to that network alone. */
export function ByNetwork({ now, before }: { readonly now: Summary; readonly before: Summary | undefined }) {
  const nameOf = usePlatformName()
  const { search } = useLocation()
  const only = (network: string) => {
    const query = new URLSearchParams(search)
    query.set('network', network)
    return `?${query}`
  }
  return (
    <Card title={t`By network`}>
      <div className="table-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">
                <Trans>Network</Trans>
              </th>
              {COLUMNS.map((name) => (
                <th key={name} scope="col" className="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {now.platforms.map(({ platform, posts, views, interactions, engagementRate }) => {
              const past = before?.platforms.find((of) => of.platform === platform)
              return (
                <tr key={platform}>
                  <th scope="row">
                    <span className="item-line">
                      <PlatformIcon of={platform} isNamed />
                      <Link to={only(platform)}>{nameOf(platform)}</Link>
                    </span>
                  </th>
                  <td className="number">{shown(posts)}</td>
                  <td className="number">
                    {shown(views)} <Change now={views} before={past?.views} />
                  </td>
                  <td className="number">
                    {shown(interactions)} <Change now={interactions} before={past?.interactions} />
                  </td>
                  <td className="number">{shownRate(engagementRate)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
