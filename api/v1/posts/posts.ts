import * as z from 'zod'
import { post } from '../../../domain/post/post.ts'
import { text } from '../../../domain/core/text.ts'
import { editPublished } from '../../../commands/edit-published.ts'
import { retryPost } from '../../../commands/retry-post.ts'
import { unpublishPost } from '../../../commands/unpublish.ts'
import { newestFirst } from '../../../projections/engine/newest-first.ts'
import { findPost, posts, type PostRow } from '../../../projections/models/posts.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { asItWas } from '../../kit/as-it-was.ts'
import { decider } from '../../kit/decide.ts'
import { atQuery } from '../history/history-schemas.ts'
import { listRoute } from '../../kit/list-route.ts'
import { owned } from '../../kit/owned.ts'
import { check } from '../../http/validation.ts'
import { optionsOfSelected } from './account-options.ts'
import { withAuthors } from './authors.ts'
import { accountsIn, mustNotNeedApproval } from '../approvals/asks-approval.ts'
import { queuedSchema } from './make-fields.ts'
import { newPosts } from './new-posts.ts'
import { postFilters, postsQuery } from './post-filters.ts'
import { presentPost, presentWholePost } from './present-post.ts'
import { postSchema, previewBody, queuePostBody, retryPostBody, unpublishPostBody } from './post-schemas.ts'
import { editPublishedBody } from './post-changes.ts'
import { previewSchema } from './preview-schemas.ts'
import { withSandboxLinks } from './sandbox-links.ts'
import { previewsOf } from './previews.ts'
import { route, type AnyRoute, type Caller } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'

const idParams = z.object({ id: text(100) })

export function postRoutes(services: Services): readonly AnyRoute[] {
  const { db } = services
  const decide = decider(services, post)
  const make = newPosts(services)

  const ownPost = async (id: string, caller: Caller): Promise<PostRow> => owned(await findPost(db, id), caller, 'post')
  const presented = async (row: PostRow) => {
    const [authored = row] = await withAuthors(db, row.workspaceId, await withSandboxLinks(services, [row]))
    return presentWholePost(authored)
  }

  return [
    route({
      method: 'POST',
      path: '/posts',
      operationId: 'queuePost',
      summary: 'Publish media to accounts in the background',
      description:
        'The post is published immediately and cannot be recalled. It needs an image, a video or, on LinkedIn, a document, ' +
        'given by public URL, which the service fetches; queueChain publishes text alone. An account that does not exist or a broken platform rule ' +
        'is not an error here: it appears as a failure of that account in getPost. Check the post with ' +
        'previewPost first.',
      reachesOut: true,
      tag: 'Posts',
      scope: 'posts:write',
      proposable: true,
      body: queuePostBody,
      mayConflict: true,
      idempotent: true,
      answer: { status: 202, description: 'Queued. Poll GET /posts/{id} with the runId.', schema: queuedSchema },
      handle: async (request) => {
        const { allowDuplicate: _a, requestApproval: _r, ...content } = request.body
        const id = resourceId('post', request.work)
        const made = await make.queue(request, id, { ...content, workspaceId: request.caller.workspaceId })
        return { status: 202, body: { runId: id, id, ...made } }
      },
    }),

    route({
      method: 'POST',
      path: '/posts/preview',
      operationId: 'previewPost',
      summary: 'Preview a post on each account without publishing it',
      description:
        'Takes the same input as queuePost, fetches the media, and returns for each account the final text, whether ' +
        'the account works, and every platform rule that the post would break.',
      effect: 'reads',
      reachesOut: true,
      tag: 'Posts',
      scope: 'posts:write',
      proposable: true,
      body: previewBody,
      answer: { status: 200, description: 'One item per account.', schema: previewSchema },
      handle: async ({ body: { scheduledFor, ...content }, caller: { workspaceId } }) => ({
        status: 200,
        body: await previewsOf(services, { ...content, workspaceId }, scheduledFor),
      }),
    }),

    listRoute(services, {
      path: '/posts',
      operationId: 'listPosts',
      summary: 'List posts, newest first',
      description: 'From all origins: the API, schedules, feeds and recycling rules.',
      query: postsQuery,
      tag: 'Posts',
      scope: 'posts:read',
      plural: 'posts',
      item: postSchema,
      fetch: async (page, { query, caller }) => {
        const filters = postFilters(query, 'posts', 'created_at', caller.actor.id)
        const rows = await withSandboxLinks(services, await newestFirst(db, posts, page, filters))
        return withAuthors(db, page.workspaceId, rows)
      },
      present: presentPost,
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),

    route({
      method: 'GET',
      path: '/posts/{id}',
      operationId: 'getPost',
      summary: 'Get one post with its result for each account',
      description:
        'Its status is processing until every account has a result, then published if at least one succeeded, ' +
        'otherwise publish_failed. summary counts the accounts by result. publishResults holds the text, the ' +
        'media, the first comment and the permalink of each account, or its error, waiting what an account without a result is waiting for.',
      tag: 'Posts',
      scope: 'posts:read',
      params: idParams,
      query: atQuery,
      answer: { status: 200, description: 'The post.', schema: postSchema },
      handle: async ({ params, query: { at }, caller }) => {
        const of = { projection: posts, kind: post, noun: 'post' }
        return { status: 200, body: await presented(await asItWas(services, of, await ownPost(params.id, caller), at)) }
      },
    }),

    route({
      method: 'POST',
      path: '/posts/{id}/edit',
      operationId: 'editPost',
      summary: 'Edit a published post on its accounts',
      description:
        'Changes the text of the post, and asks each platform in the background to change what is published; the edit of ' +
        'each account in publishResults says what becomes of it. Facebook, Google Business, LinkedIn, Pinterest and YouTube ' +
        'let apps edit posts. Accounts on which the post failed get the new text when it is retried. Asking again repeats ' +
        'only what failed. Edit what is not published yet with reschedulePost.',
      effect: 'overwrites',
      reachesOut: true,
      mayConflict: true,
      tag: 'Posts',
      scope: 'posts:write',
      params: idParams,
      body: editPublishedBody,
      idempotent: true,
      answer: { status: 200, description: 'The post with its new text.', schema: postSchema },
      handle: async (request) => {
        const { params, body, caller } = request
        const { selections } = await ownPost(params.id, caller)
        await mustNotNeedApproval(services, caller, accountsIn(selections), 'edit what is published')
        check(optionsOfSelected, { selections, accountOptions: body.accountOptions }, 'the post')
        await decide(request, params.id, (state) => editPublished(state, body, services.editRulesOf))
        return { status: 200, body: await presented(await ownPost(params.id, caller)) }
      },
    }),

    route({
      method: 'POST',
      path: '/posts/{id}/retry',
      operationId: 'retryPost',
      summary: 'Retry the failed accounts on one platform',
      description:
        'Accounts that already have the post are skipped. If an outcome is unknown, the platform is checked ' +
        'before anything is sent again. Refused with failed_precondition while the post is still being published ' +
        'there, or if nothing has failed there.',
      reachesOut: true,
      mayConflict: true,
      tag: 'Posts',
      scope: 'posts:write',
      params: idParams,
      body: retryPostBody,
      idempotent: true,
      answer: { status: 200, description: 'The post, which is being published again.', schema: postSchema },
      handle: async (request) => {
        const { params, body, caller } = request
        await ownPost(params.id, caller)
        await decide(request, params.id, (state) => retryPost(state, body.platform))
        return { status: 200, body: await presented(await ownPost(params.id, caller)) }
      },
    }),

    route({
      method: 'POST',
      path: '/posts/{id}/unpublish',
      operationId: 'unpublishPost',
      summary: 'Delete a published post from its accounts',
      description:
        'Deletes it on the platforms in the background and cannot be undone. The unpublish of each account in ' +
        'publishResults says what becomes of it; the statuses of the post and its results stay as they are. Where the ' +
        'API of a platform cannot delete posts, it is unsupported. Asking again repeats only what failed. Refused with ' +
        'failed_precondition while the post is still being published on one of the accounts.',
      effect: 'overwrites',
      reachesOut: true,
      mayConflict: true,
      tag: 'Posts',
      scope: 'posts:write',
      params: idParams,
      body: unpublishPostBody,
      idempotent: true,
      answer: { status: 200, description: 'The post, which is being deleted.', schema: postSchema },
      handle: async (request) => {
        const { params, body, caller } = request
        await ownPost(params.id, caller)
        await decide(request, params.id, (state) => unpublishPost(state, body?.accounts, services.canUnpublish))
        return { status: 200, body: await presented(await ownPost(params.id, caller)) }
      },
    }),
  ]
}
