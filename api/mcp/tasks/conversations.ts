import * as z from 'zod'
import { listedApproval, listedReply, type Approval, type Comment, type Reply } from './present.ts'
import { ADDS, task, type TaskWork } from './task.ts'

export const conversationTasks = [
  task({
    name: 'reply',
    title: 'Reply to a comment',
    description:
      'Reply to a comment by its commentId. text is sent as it is, or with review waits in the review inbox until somebody ' +
      'approves it. Without text, the AI of the service writes a draft for review. dismiss marks the comment as handled ' +
      'without a reply.',
    input: z.object({
      commentId: z.string(),
      text: z.string().optional(),
      review: z.boolean().optional(),
      instruction: z.string().optional().describe('For the AI'),
      dismiss: z.boolean().optional(),
      ifReplied: z.enum(['send', 'refuse']).optional().describe('send: although it has a reply'),
      accountId: z.string().optional().describe('If several accounts have the comment'),
    }),
    uses: ['answerComment', 'dismissComment'],
    hints: { ...ADDS },
    run: async ({ dismiss = false, commentId, accountId, ...says }, work) => {
      const of = { commentId, accountId }
      if (dismiss) return dismissed(of, work)
      const reply = await work.api<Reply>('answerComment', { ...of, ...says })
      return { ...listedReply(reply), url: reply.url, next: NEXT[reply.status] }
    },
  }),

  task({
    name: 'review',
    title: 'Decide on a reply or a post',
    description:
      'Decide on a reply in the review inbox (rep_…) or a post that awaits approval (post_…). approve sends or publishes it; for ' +
      'a reply, text replaces its words. request_changes tells the author, or the AI, what to change. reject discards it.',
    input: z.object({
      id: z.string(),
      decision: z.enum(['approve', 'request_changes', 'reject']),
      text: z.string().optional().describe('Of the reply, or a comment for the author'),
      version: z.int().optional().describe('Of the post, as find with approvals shows it; required to approve one'),
    }),
    uses: ['approveReply', 'regenerateReply', 'rejectReply', 'approvePost', 'requestChanges', 'rejectPost'],
    hints: {},
    run: async (given, work) => (given.id.startsWith('rep_') ? ofReply(given, work) : ofPost(given, work)),
  }),
]

const NEXT: Readonly<Record<string, string>> = {
  pending: 'It waits in the review inbox: review decides.',
  sending: 'read the reply for the result.',
}

async function dismissed(of: { readonly commentId: string }, work: TaskWork): Promise<object> {
  const { id: commentId, platform, accountId } = await work.api<Comment>('getComment', of)
  await work.api('dismissComment', { platform, accountId, commentId })
  return { commentId, dismissed: true }
}

interface Decision {
  readonly id: string
  readonly decision: 'approve' | 'request_changes' | 'reject'
  readonly text?: string | undefined
  readonly version?: number | undefined
}

async function ofReply({ id, decision, text }: Decision, work: TaskWork): Promise<object> {
  const [operationId, args] = {
    approve: ['approveReply', { editedText: text }] as const,
    request_changes: ['regenerateReply', { context: text }] as const,
    reject: ['rejectReply', {}] as const,
  }[decision]
  return listedReply(await work.api<Reply>(operationId, { id, ...args }))
}

async function ofPost({ id, decision, text: comment, version }: Decision, work: TaskWork): Promise<object> {
  const [operationId, args] = {
    approve: ['approvePost', { version, comment }] as const,
    request_changes: ['requestChanges', { comment }] as const,
    reject: ['rejectPost', { comment }] as const,
  }[decision]
  return listedApproval(await work.api<Approval>(operationId, { id, ...args }))
}
