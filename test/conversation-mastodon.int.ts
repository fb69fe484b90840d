import t from 'tap'
import type { ReplyJob } from '../platforms/kit/conversation.ts'
import { mastodon } from '../platforms/mastodon/index.ts'
import { isoTime, systemClock } from '../infra/runtime/clock.ts'
import { platformError, replyJobOf } from './support/bluesky.ts'
import { prepare, publish } from './support/connector.ts'
import { interceptingProxy } from './support/intercepting-proxy.ts'
import {
  connectedMastodon,
  mastodonServers,
  statusAt,
  textJobOf,
  type ConnectedMastodon,
  type MastodonServer,
} from './support/mastodon.ts'
import { givenHttp } from './support/sandbox.ts'
import { until } from './support/service-process.ts'

const http = givenHttp(t)
const { conversation, analytics } = mastodon
if (!conversation || !analytics) throw new Error('Mastodon has no conversation')

const HOUR_MS = 3_600_000

/** What the connector finds of the last hour. */
async function fetched({ account, io }: ConnectedMastodon, since = systemClock.now() - HOUR_MS) {
  const comments = []
  for await (const page of conversation?.fetch(account, isoTime(since), io) ?? []) comments.push(...page)
  return comments
}

async function published(own: ConnectedMastodon, text = 'Fresh bread') {
  const job = textJobOf(own.account, text)
  return publish(mastodon, job, await prepare(mastodon, job, own.io), own.io)
}

/** A server may deliver what is written a little later. */
function arrived(own: ConnectedMastodon, count: number) {
  return until(`${count} comments`, 30_000, async () => {
    const comments = await fetched(own)
    return comments.length >= count ? comments : undefined
  })
}

async function given(server: MastodonServer, baseUrl = server.url) {
  const own = await connectedMastodon(http, server, baseUrl)
  const post = await published(own)
  return { own, post, fan: await server.newFan() }
}

for (const server of await mastodonServers(t, http)) {
  t.test(`given somebody who writes to the account, on ${server.name}`, async (t) => {
    const { own, post, fan } = await given(server)
    const under = await fan.writes('What does it cost & when?', own, post.postId)
    const elsewhere = await fan.writes('They have the best bread', own)

    await t.test('when it is fetched, then what is under a post is a comment, and the rest are mentions', async (t) => {
      const comments = (await arrived(own, 2)).toSorted((one, other) => one.kind.localeCompare(other.kind))
      const author = { author: fan.name, authorId: String, createdAt: /Z$/, replied: false, references: {} }
      t.match(comments, [
        { ...author, id: under, kind: 'comment', postId: post.postId, text: 'What does it cost & when?' },
        { ...author, id: elsewhere, kind: 'mention', postId: undefined, text: 'They have the best bread' },
      ])
      t.equal(comments.length, 2)
      t.same(await fetched(own, systemClock.now() + HOUR_MS), [], 'nothing from before the time that is asked for')
    })

    await t.test('when it is replied to, then the reply is there once, names the other, and is found', async (t) => {
      const [comment] = (await arrived(own, 2)).filter(({ kind }) => kind === 'comment')
      if (!comment) throw new Error('there is no comment')
      const job = replyJobOf(own.account, comment, { text: 'Three euros' })
      t.same(await conversation.find?.(job, own.io), { outcome: 'absent' })
      const sent = await conversation.reply(job, own.io)
      t.match(await statusAt(server, own, sent.replyId), { in_reply_to_id: comment.id, content: /Three euros/ })
      t.same(await conversation.find?.(job, own.io), { outcome: 'found', found: sent })
      const others: Partial<ReplyJob>[] = [{ text: 'Four euros' }, { commentId: elsewhere }]
      for (const other of others) t.same(await conversation.find?.({ ...job, ...other }, own.io), { outcome: 'absent' })
      t.match(
        (await fetched(own)).find(({ id }) => id === comment.id),
        { replied: true },
      )
    })
  })

  t.test(
    `given a reply whose answer is lost, when it is looked for, then it is found, on ${server.name}`,
    async (t) => {
      const proxy = await interceptingProxy(t, server.url)
      const { own, post, fan } = await given(server, proxy.url)
      await fan.writes('Is it vegan?', own, post.postId)
      const [comment] = await arrived(own, 1)
      if (!comment) throw new Error('there is no comment')
      const job = replyJobOf(own.account, comment, { text: 'It is' })
      proxy.next('/api/v1/statuses', { kind: 'lose-answer' })
      t.match(await platformError(conversation.reply(job, own.io)), { kind: 'ambiguous' })
      t.match(await conversation.find?.(job, own.io), { outcome: 'found', found: { replyId: String } })
    },
  )

  t.test(`given a comment that is gone, when it is replied to, then that is said, on ${server.name}`, async (t) => {
    const { own } = await given(server)
    const gone = { id: '1', kind: 'comment', author: 'x', text: '', createdAt: '', references: {} } as const
    const error = await platformError(conversation.reply(replyJobOf(own.account, gone), own.io))
    t.match(error, { kind: 'permanent', message: 'The comment is no longer on Mastodon.' })
  })

  t.test(`given a post, when it is measured, then its counts are there, on ${server.name}`, async (t) => {
    const { own, post } = await given(server)
    const metrics = await analytics.metrics(own.account, [post.postId, '1'], own.io)
    t.same([...metrics.keys()], [post.postId], 'a post that is gone has none')
    t.match(metrics.get(post.postId), { likes: 0, reposts: 0, replies: 0 })
    t.match(await analytics.channel(own.account, own.io), { followers: 0, posts: Number })
  })

  t.test(
    `given a first comment, when it is published, then it is a reply to the post, on ${server.name}`,
    async (t) => {
      const own = await connectedMastodon(http, server)
      const job = textJobOf(own.account, 'Fresh bread')
      const post = await publish(mastodon, job, await prepare(mastodon, job, own.io), own.io)
      const comment = { key: crypto.randomUUID(), text: 'The recipe: https://example.com/rye' }
      const { firstComment } = mastodon
      t.same(await firstComment?.find(job, post, comment, own.io), { outcome: 'absent' })
      const first = await firstComment?.post(job, post, comment, own.io)
      t.match(await statusAt(server, own, first?.postId ?? ''), {
        in_reply_to_id: post.postId,
        content: /^(?!.*@).*rye/s,
      })
      t.same(await firstComment?.find(job, post, comment, own.io), { outcome: 'found', found: first })
    },
  )
}

t.test(
  'given a message for the account alone, when it is replied to, then only its author sees the reply',
  async (t) => {
    const [server] = await mastodonServers(t, http)
    if (!server) throw new Error('there is no sandbox')
    const proxy = await interceptingProxy(t, server.url)
    const { own, post, fan } = await given(server, proxy.url)
    const commentId = await fan.writes('Between us', own, post.postId)
    const [comment] = await arrived(own, 1)
    if (!comment) throw new Error('there is no comment')
    const body = JSON.stringify({ visibility: 'direct', account: { id: '2', acct: 'ada@bread.example' } })
    proxy.next(`/api/v1/statuses/${commentId}`, { kind: 'answer', status: 200, body })
    const sent = await conversation.reply(replyJobOf(own.account, comment, { text: 'Of course' }), own.io)
    t.match(await statusAt(server, own, sent.replyId), {
      visibility: 'direct',
      content: /@ada@bread\.example Of course/,
    })
  },
)
