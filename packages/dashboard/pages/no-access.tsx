import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSession } from '../client/queries.ts'
import { Actions, ButtonLink } from '../parts/buttons.tsx'
import { Page } from '../parts/page.tsx'
import { ROLE_NAMES } from '../parts/roles.ts'

export default function NoAccess() {
  const { role } = useSession().user
  return (
    <Page
      title={t`No access`}
      intro={t`Your role, ${{ role: ROLE_NAMES[role] }}, does not include this page. Ask an owner of the workspace.`}
    >
      <Actions>
        <ButtonLink to="/">
          <Trans>Go to Home</Trans>
        </ButtonLink>
      </Actions>
    </Page>
  )
}
