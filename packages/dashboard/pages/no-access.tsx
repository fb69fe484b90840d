import { useSession } from '../client/queries.ts'
import { Actions, ButtonLink } from '../parts/buttons.tsx'
import { Page } from '../parts/page.tsx'

export default function NoAccess() {
  const { role } = useSession().user
  return (
    <Page title="No access" intro={`Your role, ${role}, does not include this page. Ask an owner of the workspace.`}>
      <Actions>
        <ButtonLink to="/">Go to Home</ButtonLink>
      </Actions>
    </Page>
  )
}
