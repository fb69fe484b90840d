import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../client/api-error.ts'
import { answered, api } from '../../client/client.ts'
import { AccountName, PlatformName } from '../../parts/accounts.tsx'
import { Actions } from '../../parts/buttons.tsx'
import { approvalAwaited, Card, Loading, Moment, Problem, Status } from '../../parts/shown.tsx'
import { Duplicate } from '../posts/duplicate.tsx'
import { ScheduledActions } from '../posts/scheduled-actions.tsx'
import { Review } from '../approvals/review.tsx'
import { Content } from './content.tsx'
import { MissingMedia } from './missing-media.tsx'

const NOT_FOUND = 404

/** A post that has not been published yet. */
export function Scheduled({ id }: { readonly id: string }) {
  const post = useQuery({
    queryKey: ['scheduled-post', id],
    queryFn: () => answered(api.GET('/scheduled-posts/{id}', { params: { path: { id } } })),
  })
  if (post.isPending) return <Loading />
  if (post.error instanceof ApiError && post.error.status === NOT_FOUND)
    return (
      <p>
        <Trans>There is no such post.</Trans>
      </p>
    )
  if (post.error) return <Problem error={post.error} onRetry={() => void post.refetch()} />
  const { status, selections, scheduledAtUtc, approval } = post.data
  const awaited = approvalAwaited(post.data)
  return (
    <>
      <Card
        title={t`Scheduled post`}
        action={<Status of={awaited?.status ?? (status === 'pending' ? 'scheduled' : status)} />}
      >
        <div className="stack">
          <MissingMedia of={post.data} />
          <Content post={post.data}>
            {awaited?.publishes === 'on_approval' ? (
              <Trans>Published as soon as it is approved</Trans>
            ) : status === 'cancelled' || approval?.status === 'held' ? (
              <Trans>
                It was scheduled for <Moment at={scheduledAtUtc} />
              </Trans>
            ) : (
              <Trans>
                Publishes <Moment at={scheduledAtUtc} />
              </Trans>
            )}
          </Content>
          {status === 'pending' ? (
            <ScheduledActions post={post.data} />
          ) : (
            <Actions>
              <Duplicate post={post.data} />
            </Actions>
          )}
        </div>
      </Card>
      {approval && <Review id={id} />}
      <Card title={t`Accounts`}>
        <ul className="items">
          {Object.entries(selections).map(([platform, ids]) => (
            <li key={platform}>
              <div className="item-body">
                <h3>
                  <PlatformName of={platform} />
                </h3>
                {ids.map((accountId) => (
                  <AccountName key={accountId} of={accountId} />
                ))}
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}
