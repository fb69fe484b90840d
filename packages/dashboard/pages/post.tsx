import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useNavigate, useParams } from 'react-router'
import { ApiError } from '../client/api-error.ts'
import { answered, api, attemptName, named } from '../client/client.ts'
import { pageAfter, useChange } from '../client/queries.ts'
import type { Post } from '../client/types.ts'
import { useAccountName, usePlatformName } from '../parts/accounts.tsx'
import { Actions, Button, ButtonLink } from '../parts/buttons.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { Field } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Comments } from './post/comments.tsx'
import { Content } from './post/content.tsx'
import { EditPublished } from './post/edit-published.tsx'
import { Result } from './post/result.tsx'
import { Scheduled } from './post/scheduled.tsx'
import { sentenceOf } from './post/sentences.ts'
import { Card, Loading, Moment, PostStatus, Problem } from '../parts/shown.tsx'
import { TimelineList } from '../parts/timeline.tsx'

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
    <Page title="Post" actions={<ButtonLink to="/posts">All posts</ButtonLink>}>
      {post.isPending && <Loading />}
      {post.error && <Problem error={post.error} onRetry={() => void post.refetch()} />}
      {post.data === null && <Scheduled id={id} />}
      {post.data && <Outcome post={post.data} />}
      <Card title="Activity">
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
