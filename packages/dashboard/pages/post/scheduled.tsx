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
  if (post.error instanceof ApiError && post.error.status === NOT_FOUND) return <p>There is no such post.</p>
  if (post.error) return <Problem error={post.error} onRetry={() => void post.refetch()} />
  const { status, selections, scheduledAtUtc, approval } = post.data
  const awaited = approvalAwaited(post.data)
  return (
    <>
      <Card
        title="Scheduled post"
        action={<Status of={awaited?.status ?? (status === 'pending' ? 'scheduled' : status)} />}
      >
        <div className="stack">
          <MissingMedia of={post.data} />
          <Content post={post.data}>
            {awaited?.publishes === 'on_approval' ? (
              'Published as soon as it is approved'
            ) : (
              <>
                {status === 'cancelled' || approval?.status === 'held' ? 'It was scheduled for' : 'Publishes'}{' '}
                <Moment at={scheduledAtUtc} />
              </>
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
      <Card title="Accounts">
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
