import { ButtonLink } from '../parts/buttons.tsx'
import { Page } from '../parts/page.tsx'

export default function Lost() {
  return (
    <Page title="There is no such page" intro="The address may be old, or mistyped.">
      <ButtonLink to="/">To the first page</ButtonLink>
    </Page>
  )
}
