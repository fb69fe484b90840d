import { Plural } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { answered, api, attemptName, named } from '../../client/client.ts'
import type { Post, PostResult } from '../../client/types.ts'
import { usePlatformName } from '../../parts/accounts.tsx'
import { Irrevocable } from '../../parts/irrevocable.tsx'
import { Moment } from '../../parts/shown.tsx'
import { NextAttempt } from './next-attempt.tsx'

/** Deletes a post from the accounts of a platform. Absent when there is nothing left to ask for. */
export function Unpublish({ post, platform }: { readonly post: Post; readonly platform: string }) {
  const nameOf = usePlatformName()
  const name = nameOf(platform)
  const accounts = (post.publishResults[platform] ?? []).flatMap((result) =>
    isPublished(result) && (!result.unpublish || result.unpublish.status === 'failed') ? [result.accountId ?? ''] : [],
  )
  if (accounts.length === 0) return null
  return (
    <Irrevocable
      small
      action={t`Unpublish`}
      name={t`Unpublish on ${name}`}
      title={t`Unpublish on ${name}?`}
      change={() =>
        answered(
          api.POST('/posts/{id}/unpublish', {
            params: { path: { id: post.id }, ...named(attemptName()) },
            body: { accounts },
          }),
        )
      }
      touches={['post']}
      done={t`Deleting from ${name}…`}
    >
      <Plural
        value={accounts.length}
        one={`The post is deleted from the account on ${name}, with its likes and comments. This cannot be undone.`}
        other={`The post is deleted from # accounts on ${name}, with its likes and comments. This cannot be undone.`}
      />
    </Irrevocable>
  )
}

/** Whether the account has the post, or parts of it. */
export function isPublished(result: PostResult): boolean {
  return result.ok || result.parts !== undefined
}

/** What became of the deletion, unless the status says it all. */
export function Unpublished({ result: { unpublish } }: { readonly result: PostResult }) {
  if (!unpublish) return null
  const { status, at, error, nextAttemptAt } = unpublish
  if (status === 'unpublished') {
    return (
      <span className="muted">
        <Moment at={at} />
      </span>
    )
  }
  return (
    <span className="said">
      {status === 'in_progress' && t`It is being deleted.`}
      {status === 'failed' && t`It could not be deleted.`}
      <NextAttempt at={nextAttemptAt} error={error} />
    </span>
  )
}
