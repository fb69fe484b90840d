import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { FetchedComment } from '../kit/conversation.ts'
import type { PlatformAccount, PlatformIo } from '../kit/platform.ts'
import { idSchema } from './call.ts'
import { listed, referenced, referring, type XUser } from './listing.ts'
import { ownPosts } from './own-posts.ts'
import { shownText } from './shown-text.ts'

/** The full text of a post that is too long for `text`. */
const note = z.object({ text: z.string() }).optional().catch(undefined)
const mention = z.object({
  id: idSchema,
  text: z.string(),
  created_at: z.iso.datetime(),
  author_id: idSchema,
  conversation_id: idSchema.optional(),
  in_reply_to_user_id: idSchema.optional(),
  note_tweet: note,
  note_post: note,
  ...referring,
})
type Mention = z.infer<typeof mention>

const USERS = { 'user.fields': 'name,username' }
const QUERY = {
  'tweet.fields': {
    ...USERS,
    'tweet.fields': 'author_id,conversation_id,created_at,in_reply_to_user_id,note_tweet,referenced_tweets',
    expansions: 'author_id',
  },
  'post.fields': {
    ...USERS,
    'post.fields': 'conversation_id,created_at,note_post',
    expansions: 'author_id,in_reply_to_user_id,referenced_posts',
  },
}

/** Mentions of the account by others since then, newest first. */
export async function* fetchMentions(
  account: PlatformAccount,
  since: string,
  io: PlatformIo,
): AsyncGenerator<readonly FetchedComment[]> {
  let answers: Answers | undefined
  for await (const { posts, users } of listed(account, { list: 'mentions', since, query: QUERY }, mention, io)) {
    const received = posts.filter((post) => post.author_id !== account.externalId && !isRepost(post))
    if (received.length === 0) continue
    // The same `since` is enough: a reply is newer than the mention it answers.
    answers ??= await answersSince(account, since, io)
    const { repliedTo } = answers
    yield received.map((post) => ({
      ...commentOf(post, account, users.get(post.author_id)),
      ...repliedTo(post.id),
    }))
  }
}

/** A plain repost adds no text of its own. */
function isRepost(post: Mention): boolean {
  return referenced(post, 'retweeted') !== undefined
}

function commentOf(post: Mention, { externalId }: PlatformAccount, author: XUser | undefined): FetchedComment {
  const { id, text, note_tweet, note_post, conversation_id: conversation } = post
  const answers = referenced(post, 'replied_to')
  // Only a direct reply to a thread's first post shows who wrote that post.
  const isUnderOwn = post.in_reply_to_user_id === externalId && answers !== undefined && answers === conversation
  return {
    id,
    kind: 'mention',
    ...(isUnderOwn && { postId: answers }),
    author: author?.name || author?.username || '',
    authorId: post.author_id,
    text: shownText((note_tweet ?? note_post)?.text ?? text, answers !== undefined),
    createdAt: isoTime(Date.parse(post.created_at)),
    references: {},
  }
}

interface Answers {
  repliedTo(postId: string): Pick<FetchedComment, 'replied'>
}

/** What the account has replied to since then, from any client. */
async function answersSince(account: PlatformAccount, since: string, io: PlatformIo): Promise<Answers> {
  const answered = new Set<string>()
  let areAll = true
  for await (const { posts, isWhole } of ownPosts(account, since, io)) {
    for (const { answers } of posts) if (answers !== undefined) answered.add(answers)
    areAll &&= isWhole
  }
  return {
    repliedTo: (postId) => (answered.has(postId) ? { replied: true } : areAll ? { replied: false } : {}),
  }
}
