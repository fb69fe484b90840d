import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSession } from '../client/queries.ts'
import { ButtonLink } from '../parts/buttons.tsx'
import { Maintenance } from '../parts/maintenance.tsx'
import { Page } from '../parts/page.tsx'
import { FirstSteps } from './home/first-steps.tsx'
import { Held } from './home/held.tsx'
import { InProgress } from './home/in-progress.tsx'
import { LastWeek } from './home/last-week.tsx'
import { NeedsYou } from './home/needs-you.tsx'
import { NextDays } from './home/next-days.tsx'

export default function Home() {
  const mayWrite = useSession().permissions.includes('posts:write')
  return (
    <Page
      title={t`Home`}
      actions={
        mayWrite && (
          <ButtonLink to="/compose" look="main">
            <Trans>Compose</Trans>
          </ButtonLink>
        )
      }
    >
      <Held />
      <Maintenance />
      <FirstSteps />
      <div className="home-top">
        <NeedsYou />
        <LastWeek />
      </div>
      <NextDays />
      <InProgress />
    </Page>
  )
}
