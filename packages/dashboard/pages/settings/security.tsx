import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { securityApi } from '../../client/security-api.ts'
import { Page } from '../../parts/page.tsx'
import { Card, Loading, Problem } from '../../parts/shown.tsx'
import { Password } from './security/password.tsx'
import { Sessions } from './security/sessions.tsx'
import { SingleSignOn } from './security/single-sign-on.tsx'
import { TwoStep } from './security/two-step.tsx'

export default function Security() {
  const identity = useQuery({ queryKey: ['session', 'identity'], queryFn: securityApi.identity })
  const { data } = identity
  const isOffered = data !== undefined && (data.provider !== null || data.issuer !== null)
  return (
    <Page title={t`Security`} intro={t`How you sign in, and where you are signed in.`}>
      <Card title={t`Sessions`}>
        <Sessions />
      </Card>
      {identity.isPending && <Loading />}
      {identity.error && <Problem error={identity.error} onRetry={() => void identity.refetch()} />}
      {isOffered && (
        <Card title={t`Single sign-on`}>
          <SingleSignOn identity={data} />
        </Card>
      )}
      {data?.hasPassword && (
        <>
          <Card title={t`Two-step sign-in`}>
            <TwoStep />
          </Card>
          <Card title={t`Password`}>
            <Password />
          </Card>
        </>
      )}
    </Page>
  )
}
