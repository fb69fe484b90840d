import { t } from '@lingui/core/macro'
import { useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useState } from 'react'
import { answered, api, attemptName, named } from '../../client/client.ts'
import { requestIdOf } from '../../client/queries.ts'
import type { Comment, Page, ReplyBody } from '../../client/types.ts'
import { toast } from '../../parts/toasts.tsx'

export type InboxState = 'to_reply' | 'draft_ready' | 'done'

interface CommentPage extends Page {
  readonly comments: readonly Comment[]
}

export function keyOf({ accountId, id }: Pick<Comment, 'accountId' | 'id'>): string {
  return `${accountId} ${id}`
}

/** After it, a comment is no longer in its list. Answers with what to tell the user. */
export type Change = (comment: Comment) => Promise<string>

export function approve(editedText?: string): Change {
  return async ({ reply }) => {
    const params = { path: { id: reply?.id ?? '' }, ...named(attemptName()) }
    const body = editedText === undefined ? {} : { editedText }
    const { status } = await answered(api.POST('/replies/pending/{id}/approve', { params, body }))
    return status === 'sent' ? t`Reply sent.` : t`Sending reply…`
  }
}

export function send(text: string): Change {
  return async (comment) => {
    const { status } = await answer(comment, { text, ifReplied: 'refuse' })
    if (status === 'pending') return t`Your reply waits for approval in “Draft ready”.`
    return status === 'sent' ? t`Reply sent.` : t`Sending reply…`
  }
}

export const draft: Change = async (comment) => {
  await answer(comment, {})
  return t`Draft added to “Draft ready”.`
}

export const reject: Change = async ({ reply }) => {
  await answered(api.POST('/replies/pending/{id}/reject', { params: { path: { id: reply?.id ?? '' } } }))
  return t`Draft rejected. Nothing was sent.`
}

export const dismiss: Change = async (comment) => {
  const { platform, accountId, id: commentId, reply } = comment
  if (reply?.status === 'pending' || reply?.status === 'failed') await reject(comment)
  const body = { platform: platform as ReplyBody['platform'], accountId, commentId }
  await answered(api.POST('/comments/dismiss', { body }))
  return t`Comment dismissed.`
}

function answer({ id, accountId }: Comment, body: { readonly text?: string; readonly ifReplied?: 'refuse' }) {
  const params = { path: { commentId: id }, ...named(attemptName()) }
  return answered(api.POST('/comments/{commentId}/reply', { params, body: { ...body, accountId } }))
}

export interface Settling {
  /** Under way: not shown any longer, unless it fails. */
  readonly leaving: ReadonlySet<string>
  /** Resolves to what to tell the user; undefined if it failed, which they were told. */
  readonly settle: (comment: Comment, change: Change) => Promise<string | undefined>
}

/** Makes changes, and has the next comment take the place of one at once. */
export function useSettle(): Settling {
  const client = useQueryClient()
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set())
  const settle = async (comment: Comment, change: Change) => {
    const key = keyOf(comment)
    setLeaving((now) => new Set([...now, key]))
    try {
      const said = await change(comment)
      // The list is not read again for each of many: the live events have that done once for all.
      client.setQueriesData<InfiniteData<CommentPage>>({ queryKey: ['comment', 'inbox'] }, (data) => without(data, key))
      return said
    } catch (error) {
      toast({ text: (error as Error).message, tone: 'bad', requestId: requestIdOf(error) })
      void client.invalidateQueries({ queryKey: ['comment', 'inbox'] })
      return undefined
    } finally {
      for (const kind of ['comment', 'reply']) void client.invalidateQueries({ queryKey: [kind], refetchType: 'none' })
      setLeaving((now) => new Set([...now].filter((one) => one !== key)))
    }
  }
  return { leaving, settle }
}

function without(data: InfiniteData<CommentPage> | undefined, key: string) {
  const pages = data?.pages.map((page) => ({
    ...page,
    comments: page.comments.filter((comment) => keyOf(comment) !== key),
  }))
  return data && pages && { ...data, pages }
}
