import type { TextRequest } from '../../infra/ai/text.ts'
import type { Drafting, LiveReply } from '../../domain/conversation/reply.ts'

/** Fits every platform that supports replies (Bluesky: 300 characters). */
const MOST_CHARS = 280

const TASK =
  'Write a reply to a comment that somebody left for us on social media, in the language of the comment, friendly and ' +
  'to the point. Promise nothing that the instruction does not say. Answer with the text of the reply alone.'

/** The request to the model. Only our user's words are instructions; the comment is data. */
export function draftRequest(
  { platform, commentText, commentAuthor, draft }: LiveReply,
  drafting: Drafting,
  voice: string,
): TextRequest {
  const { instruction, context } = drafting
  const said = [
    TASK,
    voice === '' ? '' : `How we write: ${voice}`,
    instruction === '' ? '' : `Instruction: ${instruction}`,
    context === undefined ? '' : `Revise the draft: ${context}`,
  ]
  return {
    instruction: said.filter((part) => part !== '').join('\n\n'),
    data: [
      { name: 'platform', text: platform },
      ...(commentAuthor === undefined ? [] : [{ name: 'author', text: commentAuthor }]),
      { name: 'comment', text: commentText },
      ...(context === undefined || draft === '' ? [] : [{ name: 'draft', text: draft }]),
    ],
    maxChars: MOST_CHARS,
  }
}
