import { AtpAgent, AppBskyFeedDefs, RichText, XRPCError } from '@atproto/api'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { callsBy, runClients, same, type ClientCall } from './support/clients.ts'
import { interceptingProxy } from './support/intercepting-proxy.ts'
import { sample } from './support/media-samples.ts'
import { givenAccount, givenHttp, givenSandbox, postJson } from './support/sandbox.ts'

/* Bluesky's own client against the stand-in: what it has, it takes as it sends it. */

const NO_SUCH = 'Fanfare does not use it'

const shown = z.object({ post: z.object({ uri: z.string() }) })
const aboveIt = shown.extend({ parent: shown })

async function atprotoApi(t: Test): Promise<readonly ClientCall[]> {
  const http = givenHttp(t)
  const sandbox = await givenSandbox(t)
  const { externalId: did, credentials, baseUrl } = await givenAccount(http, sandbox, 'bluesky')
  const handle = `${did.slice('did:plc:'.length)}.test`
  const call = callsBy('@atproto/api')
  // `service` is a host, and the stand-in is below a path.
  const agent = new AtpAgent({ service: (await interceptingProxy(t, baseUrl)).url })
  const written = async (postId: string) => {
    const comment = { platform: 'bluesky', accountId: did, postId, author: 'Ann', text: 'Nice' }
    return z
      .object({ id: z.string() })
      .parse((await postJson(http, `${sandbox.url}/_control/comments`, comment)).json())
  }
  const blobOf = async (name: string, encoding: string) =>
    (await agent.uploadBlob(sample(name), { encoding })).data.blob
  let post = { uri: '', cid: '' }
  let reply = { uri: '', cid: '' }
  let comment = ''
  return [
    call('login', async () => {
      const { data } = await agent.login({ identifier: handle, password: credentials['appPassword'] ?? '' })
      same([data.did, data.handle, data.active], [did, handle, true])
    }),
    call('resumeSession', async () => {
      if (!agent.session) throw new Error('there is no session')
      same((await agent.resumeSession(agent.session)).data.did, did)
    }),
    call('sessionManager.refreshSession', () => agent.sessionManager.refreshSession()),
    call('resolveHandle', async () => same((await agent.resolveHandle({ handle })).data.did, did)),
    call('getProfile', async () => {
      const { data } = await agent.getProfile({ actor: did })
      same([data.handle, data.postsCount], [handle, 0])
    }),
    call('getProfile of an unknown account', () => agent.getProfile({ actor: 'nobody.example' }), 'it does not exist'),
    call('getProfiles', async () => {
      const { data } = await agent.getProfiles({ actors: [did, 'nasa.example'] })
      same(data.profiles.length, 2)
    }),
    call('post with an image', async () => {
      const text = new RichText({ text: `Hello @${handle} #fanfare https://example.com/a` })
      await text.detectFacets(agent)
      same(text.facets?.length, 3)
      const image = await blobOf('picture.jpg', 'image/jpeg')
      const images = [{ image, alt: 'A picture', aspectRatio: { width: 4, height: 3 } }]
      post = await agent.post({
        text: text.text,
        ...(text.facets && { facets: text.facets }),
        langs: ['en'],
        embed: { $type: 'app.bsky.embed.images', images },
      })
    }),
    call('post with a video', async () => {
      const video = await blobOf('clip.mp4', 'video/mp4')
      await agent.post({ text: '', embed: { $type: 'app.bsky.embed.video', video, alt: 'A clip' } })
    }),
    call('post of text only', () => agent.post({ text: 'Only words', createdAt: new Date().toISOString() })),
    call('com.atproto.repo.createRecord', async () => {
      const record = { $type: 'app.bsky.feed.post', text: 'By hand', createdAt: new Date().toISOString() }
      const { data } = await agent.com.atproto.repo.createRecord({
        repo: did,
        collection: 'app.bsky.feed.post',
        record,
        validate: true,
      })
      same(data.validationStatus, 'valid')
      await agent.deletePost(data.uri)
    }),
    call('getPost', async () => {
      const { value } = await agent.getPost({ repo: did, rkey: post.uri.slice(-13) })
      same([value.langs, value.facets?.length], [['en'], 3])
    }),
    call('app.bsky.feed.post.list', async () => {
      same((await agent.app.bsky.feed.post.list({ repo: did, limit: 2 })).records.length, 2)
    }),
    call('getPosts', async () => {
      const { data } = await agent.getPosts({ uris: [post.uri] })
      same([data.posts[0]?.author.did, typeof data.posts[0]?.likeCount], [did, 'number'])
    }),
    call('getAuthorFeed', async () => {
      const { data } = await agent.getAuthorFeed({ actor: did, filter: 'posts_no_replies', limit: 2 })
      same([data.feed.length, typeof data.cursor], [2, 'string'])
    }),
    call('listNotifications', async () => {
      comment = (await written(post.uri)).id
      const { data } = await agent.listNotifications({ limit: 50 })
      same([data.notifications[0]?.uri, data.notifications[0]?.reason], [comment, 'reply'])
    }),
    call('getPostThread', async () => {
      const { data } = await agent.getPostThread({ uri: post.uri })
      const { thread } = data
      if (!AppBskyFeedDefs.isThreadViewPost(thread)) throw new Error('the answer has no thread')
      const [first] = thread.replies ?? []
      same([thread.post.uri, AppBskyFeedDefs.isThreadViewPost(first) && first.post.uri], [post.uri, comment])
    }),
    call('post as a reply', async () => {
      const { data } = await agent.getPosts({ uris: [comment] })
      const [parent] = data.posts
      if (!parent) throw new Error('there is no comment')
      reply = await agent.post({
        text: 'Thank you!',
        reply: { root: post, parent: { uri: parent.uri, cid: parent.cid } },
      })
    }),
    call('getPostThread of a reply', async () => {
      const { thread } = (await agent.getPostThread({ uri: reply.uri, depth: 0 })).data
      const { parent } = z.object({ parent: aboveIt }).parse(thread)
      same([parent.post.uri, parent.parent.post.uri], [comment, post.uri])
    }),
    call('getAuthorFeed with replies', async () => {
      const { feed } = (await agent.getAuthorFeed({ actor: handle })).data
      const [first] = feed
      same([feed.length, first?.post.uri], [4, reply.uri])
      same(first?.reply?.parent.$type, 'app.bsky.feed.defs#postView')
    }),
    call('getAuthorFeed of media', async () => {
      same((await agent.getAuthorFeed({ actor: did, filter: 'posts_with_media' })).data.feed.length, 2)
    }),
    call('deletePost of a reply', () => agent.deletePost(reply.uri)),
    call('deletePost', () => agent.deletePost(post.uri)),
    call('getPost after it', () => agent.getPost({ repo: did, rkey: post.uri.slice(-13) }), 'the post is gone'),
    call('like', () => agent.like(comment, post.cid), NO_SUCH),
    call('repost', () => agent.repost(comment, post.cid), NO_SUCH),
    call('follow', () => agent.follow(did), NO_SUCH),
    call('upsertProfile', () => agent.upsertProfile(() => ({ displayName: 'Ann' })), NO_SUCH),
    call('getTimeline', () => agent.getTimeline(), NO_SUCH),
    call('getFollowers', () => agent.getFollowers({ actor: did }), NO_SUCH),
    call('searchPosts', () => agent.app.bsky.feed.searchPosts({ q: 'fanfare' }), NO_SUCH),
    call('countUnreadNotifications', () => agent.countUnreadNotifications(), NO_SUCH),
    call('updateSeenNotifications', () => agent.updateSeenNotifications(), NO_SUCH),
    call('com.atproto.repo.applyWrites', () => agent.com.atproto.repo.applyWrites({ repo: did, writes: [] }), NO_SUCH),
    call('app.bsky.video.getUploadLimits', () => agent.app.bsky.video.getUploadLimits(), 'it is another service'),
    call('logout', () => agent.logout()),
    call('getProfile after it', () => agent.getProfile({ actor: did }), 'the session has ended'),
  ]
}

/** Every refusal of XRPC names the error in its body. */
const refused = z.object({
  status: z.number().min(400),
  error: z.string().regex(/^(?!XRPCNotSupported)\w+$/),
  message: z.string().min(1),
})
const isOfXrpc = (error: unknown): boolean =>
  error instanceof XRPCError && refused.safeParse({ ...error, message: error.message }).success

t.test('given Bluesky’s client, then the stand-in takes its calls, or refuses them as Bluesky does', async (t) => {
  await runClients(t, await atprotoApi(t), isOfXrpc)
})
