import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Actions, ButtonLink } from '../parts/buttons.tsx'
import { Page } from '../parts/page.tsx'

export default function Lost() {
  return (
    <Page title={t`Page not found`} intro={t`The link may be outdated or mistyped.`}>
      <Actions>
        <ButtonLink to="/">
          <Trans>Go to Home</Trans>
        </ButtonLink>
      </Actions>
    </Page>
  )
}
