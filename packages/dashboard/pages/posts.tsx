import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import { answered, api } from '../client/client.ts'
import { pageAfter, useList } from '../client/queries.ts'
import type { ScheduledPost } from '../client/types.ts'
import { PlatformName } from '../parts/accounts.tsx'
import { ButtonLink } from '../parts/buttons.tsx'
import { Segments } from '../parts/fields.tsx'
import { Irrevocable } from '../parts/irrevocable.tsx'
import { ItemList } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { approvalAwaited, Card, Empty, Moment, PostStatus, Status, Thumb } from '../parts/shown.tsx'
import { useUrlState } from '../parts/url-state.ts'
import { Duplicate } from './posts/duplicate.tsx'
import { ScheduledActions } from './posts/scheduled-actions.tsx'

const WRITE = (
  <ButtonLink to="/compose" look="main">
    <Trans>Compose</Trans>
  </ButtonLink>
)

export default function Posts() {
  const [show, setShow] = useUrlState<'sent' | 'scheduled' | 'drafts'>('show', 'sent')
  return (
    <Page title={t`Posts`} actions={WRITE}>
      <Segments
        label={t`Which posts`}
        value={show}
        options={[
          { value: 'sent', label: t`Published` },
          { value: 'scheduled', label: t`Scheduled` },
          { value: 'drafts', label: t`Drafts` },
        ]}
        onChange={setShow}
      />
      <Card>
        {show === 'sent' && <Sent />}
        {show === 'scheduled' && <Scheduled />}
        {show === 'drafts' && <Drafts />}
      </Card>
    </Page>
  )
}

function Sent() {
  const posts = useList(['post', 'list'], (cursor) =>
    answered(api.GET('/posts', { params: { query: pageAfter(cursor) } })),
  )
  return (
    <ItemList
      query={posts}
      items={(page) => page.posts}
      empty={
        <Empty title={t`No posts yet`} action={WRITE}>
          <Trans>Write a post and choose accounts. Its results appear here.</Trans>
        </Empty>
      }
    >
      {(post) => (
        <li key={post.id}>
          <Thumb url={post.mediaUrl} type={post.mediaType} />
          <div className="item-body">
            <Link to={`/posts/${post.id}`} className="clamp">
              {post.caption || t`No caption`}
            </Link>
            <div className="item-line">
              <PostStatus of={post} />
              <span className="hint">
                <Moment at={post.createdAt} short /> {ORIGINS[post.origin]}
              </span>
            </div>
          </div>
          <Duplicate post={post} />
        </li>
      )}
    </ItemList>
  )
}

const ORIGINS: Readonly<Record<string, string>> = {
  schedule: t`by schedule`,
  rss: t`by a feed`,
  recycling: t`by recycling`,
}

function Scheduled() {
  const posts = useList(['scheduled-post', 'list'], (cursor) =>
    answered(api.GET('/scheduled-posts', { params: { query: pageAfter(cursor) } })),
  )
  return (
    <ItemList
      query={posts}
      items={(page) => page.scheduledPosts}
      empty={
        <Empty title={t`No scheduled posts`} action={WRITE}>
          <Trans>Write a post and choose “Later”. You can reschedule it here until it is published.</Trans>
        </Empty>
      }
    >
      {(post) => (
        <li key={post.id}>
          <Thumb url={post.mediaUrl} type={post.mediaType} />
          <div className="item-body">
            <Link to={`/posts/${post.id}`} className="clamp">
              {post.caption || t`No caption`}
            </Link>
            <div className="item-line">
              <strong>
                <Moment at={post.scheduledAtUtc} />
              </strong>
              <span className="hint">{saidAs(post)}</span>
              <Awaited of={post} />
            </div>
            <div className="item-line">
              {Object.keys(post.selections).map((platform) => (
                <PlatformName key={platform} of={platform} />
              ))}
            </div>
          </div>
          <ScheduledActions post={post} />
        </li>
      )}
    </ItemList>
  )
}

function Drafts() {
  const drafts = useList(['draft', 'list'], (cursor) =>
    answered(api.GET('/drafts', { params: { query: pageAfter(cursor) } })),
  )
  return (
    <ItemList
      query={drafts}
      items={(page) => page.drafts}
      empty={
        <Empty title={t`No drafts`} action={WRITE}>
          <Trans>Save a post as a draft to continue later. Everybody in the workspace sees it.</Trans>
        </Empty>
      }
    >
      {({ id, caption, mediaUrl, mediaType, updatedAt }) => (
        <li key={id}>
          {mediaUrl && mediaType && <Thumb url={mediaUrl} type={mediaType} />}
          <div className="item-body">
            <Link to={`/compose?draft=${id}`} className="clamp">
              {caption || t`No caption`}
            </Link>
            <span className="hint">
              <Trans>
                Saved <Moment at={updatedAt} short />
              </Trans>
            </span>
          </div>
          <Irrevocable
            small
            action={t`Delete`}
            title={t`Delete this draft?`}
            change={() => answered(api.DELETE('/drafts/{id}', { params: { path: { id } } }))}
            touches={['draft']}
            done={t`Draft deleted.`}
          >
            <Trans>It cannot be restored.</Trans>
          </Irrevocable>
        </li>
      )}
    </ItemList>
  )
}

function Awaited({ of }: { readonly of: ScheduledPost }) {
  const awaited = approvalAwaited(of)
  return awaited ? <Status of={awaited.status} /> : null
}

function saidAs({ date, time, timezone }: ScheduledPost): string {
  return t`${date} ${time} in ${timezone.replaceAll('_', ' ')}`
}
