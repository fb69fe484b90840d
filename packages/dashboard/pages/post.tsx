import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { ApiError } from '../client/api-error.ts'
import { answered, api } from '../client/client.ts'
import { pageAfter } from '../client/queries.ts'
import type { Post } from '../client/types.ts'
import { useAccountName, usePlatformName } from '../parts/accounts.tsx'
import { Actions, ButtonLink } from '../parts/buttons.tsx'
import { Maintenance } from '../parts/maintenance.tsx'
import { Page } from '../parts/page.tsx'
import { Comments } from './post/comments.tsx'
import { Content } from './post/content.tsx'
import { EditPublished } from './post/edit-published.tsx'
import { Result } from './post/result.tsx'
import { Scheduled } from './post/scheduled.tsx'
import SendAgain from './post/send-again.tsx'
import { sentenceOf } from './post/sentences.ts'
import { Card, failedOn, Loading, Moment, PostStatus, Problem } from '../parts/shown.tsx'
import { TimelineList } from '../parts/timeline.tsx'
import { Duplicate } from './posts/duplicate.tsx'

const NOT_OUT = 404

export default function PostPage() {
  const { id = '' } = useParams()
  const [platform, account] = [usePlatformName(), useAccountName()]
  const post = useQuery({
    queryKey: ['post', id],
    // Not an error: reading it again would forget that, and take away what somebody is doing.
    queryFn: () =>
      answered(api.GET('/posts/{id}', { params: { path: { id } } })).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === NOT_OUT) return null
        throw error
      }),
  })
  return (
    <Page
      title={t`Post`}
      actions={
        <ButtonLink to="/posts">
          <Trans>All posts</Trans>
        </ButtonLink>
      }
    >
      {post.isPending && <Loading />}
      {post.error && <Problem error={post.error} onRetry={() => void post.refetch()} />}
      {post.data === null && <Scheduled id={id} />}
      {post.data && <Outcome post={post.data} />}
      <Card title={t`Activity`}>
        <TimelineList
          of="post"
          id={id}
          sentence={(event) => sentenceOf(event, { platform, account })}
          read={(cursor) =>
            answered(api.GET('/posts/{id}/events', { params: { path: { id }, query: pageAfter(cursor, 100) } }))
          }
        />
      </Card>
    </Page>
  )
}

function Outcome({ post }: { readonly post: Post }) {
  return (
    <>
      {post.status === 'processing' && <Maintenance ifNow />}
      <Card title={t`Post`} action={<PostStatus of={post} />}>
        <Content post={post}>
          <Trans>
            Queued <Moment at={post.createdAt} />
          </Trans>
        </Content>
        <Actions>
          <EditPublished key={post.id} post={post} />
          <Duplicate post={post} />
        </Actions>
      </Card>
      <Card
        title={t`Results by account`}
        action={failedOn(post) > 0 && !post.parts && <SendAgain key={post.id} post={post} />}
      >
        <ul className="items results">
          {Object.entries(post.selections).map(([platform, ids]) => (
            <Result key={platform} post={post} platform={platform} accounts={ids} />
          ))}
        </ul>
      </Card>
      <Comments post={post} />
    </>
  )
}
