import { Page } from '../parts/page.tsx'
import { Card } from '../parts/shown.tsx'
import { Password } from './security/password.tsx'
import { Sessions } from './security/sessions.tsx'
import { TwoStep } from './security/two-step.tsx'

export default function Security() {
  return (
    <Page title="Security" intro="How you sign in, and where you are signed in.">
      <Card title="Sessions">
        <Sessions />
      </Card>
      <Card title="Two-step sign-in">
        <TwoStep />
      </Card>
      <Card title="Password">
        <Password />
      </Card>
    </Page>
  )
}
