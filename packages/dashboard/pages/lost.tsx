import { Actions, ButtonLink } from '../parts/buttons.tsx'
import { Page } from '../parts/page.tsx'

export default function Lost() {
  return (
    <Page title="Page not found" intro="The link may be outdated or mistyped.">
      <Actions>
        <ButtonLink to="/">Go to Home</ButtonLink>
      </Actions>
    </Page>
  )
}
