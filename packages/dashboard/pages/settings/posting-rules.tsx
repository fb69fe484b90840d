import { t } from '@lingui/core/macro'
import { Page } from '../../parts/page.tsx'
import { Card } from '../../parts/shown.tsx'
import { ApprovalPolicy } from './posting-rules/approval-policy.tsx'
import { Undo } from './posting-rules/undo.tsx'

export default function PostingRules() {
  return (
    <Page title={t`Posting rules`} intro={t`What happens before a post is published.`}>
      <Card title={t`Approval`}>
        <ApprovalPolicy />
      </Card>
      <Card title={t`Undo`}>
        <Undo />
      </Card>
    </Page>
  )
}
