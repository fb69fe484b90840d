import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useNavigate, useParams } from 'react-router'
import { ApiError } from '../client/api-error.ts'
import { answered, api, attemptName, named } from '../client/client.ts'
import { pageAfter, useChange } from '../client/queries.ts'
import type { Post, WaitingAccount } from '../client/types.ts'
import { AccountName, PlatformName, usePlatformName } from '../parts/accounts.tsx'
import { Actions, Button, ButtonLink } from '../parts/buttons.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { Field } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Content } from './post/content.tsx'
import { Edited, EditPublished } from './post/edit-published.tsx'
import { Scheduled } from './post/scheduled.tsx'
import { isPublished, Unpublish, Unpublished } from './post/unpublish.tsx'
import { Card, Loading, Moment, PostStatus, Problem, resultStatus, Status } from '../parts/shown.tsx'
import { TimelineList } from '../parts/timeline.tsx'

const NOT_OUT = 404

export default function PostPage() {
  const { id = '' } = useParams()
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
    <Page title="Post" actions={<ButtonLink to="/posts">All posts</ButtonLink>}>
      {post.isPending && <Loading />}
      {post.error && <Problem error={post.error} onRetry={() => void post.refetch()} />}
      {post.data === null && <Scheduled id={id} />}
      {post.data && <Outcome post={post.data} />}
      <Card title="Activity">
        <TimelineList
          of="post"
          id={id}
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
      <Card title="Post" action={<PostStatus of={post} />}>
        <Content post={post}>
          Queued <Moment at={post.createdAt} />
        </Content>
        <EditPublished key={post.id} post={post} />
      </Card>
      <Card
        title="Results by account"
        action={failedOn(post) > 0 && !post.parts && <SendAgain key={post.id} post={post} />}
      >
        <ul className="items">
          {Object.entries(post.selections).map(([platform, ids]) => (
            <Result key={platform} post={post} platform={platform} accounts={ids} />
          ))}
        </ul>
      </Card>
    </>
  )
}

/** How many accounts it certainly is not published on. */
function failedOn({ publishResults }: Post): number {
  return Object.values(publishResults)
    .flat()
    .filter((result) => !result.ok && result.accountId !== undefined && result.outcome !== 'unknown').length
}

/** Makes a new post for the accounts on which this one failed. */
function SendAgain({ post }: { readonly post: Post }) {
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [caption, setCaption] = useState(post.caption)
  const [attempt] = useState(attemptName)
  const again = useChange({
    change: () =>
      answered(
        api.POST('/posts/{id}/duplicate', {
          params: { path: { id: post.id }, ...named(attempt) },
          // A caption of one platform would hide the change.
          body: { accounts: 'failed', caption, captionOverrides: {} },
        }),
      ),
    touches: ['post'],
    done: 'Publishing…',
    onDone: ({ id }) => {
      setOpen(false)
      void navigate(`/posts/${id}`)
    },
    showsProblem: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    again.mutate(undefined)
  }
  return (
    <>
      <Button small onPress={() => setOpen(true)}>
        Edit and send again
      </Button>
      <Dialog title="Edit and send again" isOpen={isOpen} onClose={() => setOpen(false)}>
        <Form onSubmit={submit}>
          {again.error && <Problem error={again.error} />}
          <Field label="Caption" rows={5} value={caption} onChange={setCaption} autoFocus />
          <p className="hint">
            A new post for the {failedOn(post) === 1 ? 'account' : `${failedOn(post)} accounts`} on which this one
            failed.
          </p>
          <Actions>
            <Button look="main" type="submit" isPending={again.isPending}>
              Publish
            </Button>
          </Actions>
        </Form>
      </Dialog>
    </>
  )
}

function Result({
  post,
  platform,
  accounts,
}: {
  readonly post: Post
  readonly platform: string
  readonly accounts: readonly string[]
}) {
  const nameOf = usePlatformName()
  const results = post.publishResults[platform] ?? []
  const waiting = accounts.filter((id) => !results.some(({ accountId }) => accountId === id))
  const hasFailed = results.some(({ ok, accountId }) => !ok && accountId !== undefined)
  const retry = useChange({
    change: () =>
      answered(
        api.POST('/posts/{id}/retry', {
          params: { path: { id: post.id }, ...named(attemptName()) },
          body: { platform },
        }),
      ),
    touches: ['post'],
    done: `Retrying on ${nameOf(platform)}.`,
  })
  return (
    <li>
      <div className="item-body">
        <h3>
          <PlatformName of={platform} />
        </h3>
        {results.map((result, index) => (
          <div key={result.accountId ?? index} className="item-line">
            <Status of={resultStatus(result)} />
            <span>
              <AccountName of={result.accountId} />
            </span>
            {result.ok ? (
              result.url &&
              resultStatus(result) !== 'unpublished' && (
                <a href={result.url} target="_blank" rel="noreferrer">
                  View on {nameOf(platform)}
                </a>
              )
            ) : (
              <span className="said">{result.error}</span>
            )}
            {isPublished(result) && <Unpublished result={result} />}
            <Edited result={result} />
            {result.ok && result.note && <span className="said">{result.note}</span>}
            {result.ok && !result.firstComment && (
              <WaitingFor item={post.waiting[platform]?.find(({ accountId }) => accountId === result.accountId)} />
            )}
            {result.ok && result.firstComment && !result.firstComment.ok && (
              <span className="said">The first comment failed: {result.firstComment.error}</span>
            )}
          </div>
        ))}
        {post.status === 'processing' &&
          waiting.map((id) => (
            <div key={id} className="item-line">
              <Status of="processing" /> <AccountName of={id} />
              <WaitingFor item={post.waiting[platform]?.find(({ accountId }) => accountId === id)} />
            </div>
          ))}
      </div>
      {hasFailed && (
        <Button small isPending={retry.isPending} onPress={() => retry.mutate(undefined)}>
          Retry on {nameOf(platform)}
        </Button>
      )}
      {post.status !== 'processing' && <Unpublish post={post} platform={platform} />}
    </li>
  )
}

/** Why an account has no result yet, and when it will be tried again. */
function WaitingFor({ item }: { readonly item: WaitingAccount | undefined }) {
  if (!item) return null
  const { reason, since, error, nextAttemptAt, until } = item
  const next = nextAttemptAt && <Moment at={nextAttemptAt} />
  return (
    <span className="said">
      {reason === 'retry' && <>The last attempt failed. The next one is at {next}.</>}
      {reason === 'first_comment' && <>The first comment failed. The next attempt is at {next}.</>}
      {reason === 'processing' && (
        <>
          The platform has been processing it since <Moment at={since} />.
        </>
      )}
      {reason === 'outcome' && (
        <>
          The response was lost. Fanfare checks the platform for the post before sending it again
          {until && (
            <>
              , until <Moment at={until} /> at most
            </>
          )}
          .
        </>
      )}{' '}
      {error}
    </span>
  )
}
