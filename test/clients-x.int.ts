import { Agent } from 'node:https'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { ApiError, Client, OAuth2, generateCodeChallenge, generateCodeVerifier } from '@xdevplatform/xdk'
import { ApiResponseError, TwitterApi } from 'twitter-api-v2'
import * as z from 'zod'
import { consent } from './support/browser.ts'
import { callsBy, runClients, same, type ClientCall } from './support/clients.ts'
import { sample } from './support/media-samples.ts'
import { postJson } from './support/sandbox.ts'
import { givenMention, givenX, type Scene } from './support/x.ts'

/* Two clients that others wrote for X, the second by X itself, against the stand-in: what it has, it takes as they send it. */

const REDIRECT_URI = 'http://127.0.0.1:3000/callback'
const SCOPES = ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access']
const NO_SUCH = 'Fanfare does not use it'

async function givenApp({ http, sandbox }: Scene) {
  const made = await postJson(http, `${sandbox.url}/_control/apps`, { platform: 'x', redirectUri: REDIRECT_URI })
  return z.object({ clientId: z.string(), clientSecret: z.string() }).parse(made.json())
}

/** X's consent page is on a host that the clients do not call. */
async function codeOf({ account }: Scene, link: string): Promise<string> {
  const { pathname, search } = new URL(link)
  const back = await consent(`${account.baseUrl}${pathname}${search}`, account.externalId, 'allow')
  return new URL(back).searchParams.get('code') ?? back
}

/** Its calls go to the stand-in, without TLS: it has no setting for another host. */
function connectionTo(t: Pick<Test, 'teardown'>, url: string): Agent {
  const { hostname, port } = new URL(url)
  const agent = new Agent()
  agent.createConnection = () => connect(Number(port), hostname)
  t.teardown(() => agent.destroy())
  return agent
}

async function twitterApiV2(t: Test): Promise<readonly ClientCall[]> {
  const scene = await givenX(t)
  const httpAgent = connectionTo(t, scene.proxy.url)
  const mention = await givenMention(scene)
  const me = scene.account.externalId
  const app = new TwitterApi(await givenApp(scene), { httpAgent })
  let user = app
  let refreshToken = ''
  let image = ''
  let video = ''
  let post = ''
  const call = callsBy('twitter-api-v2')
  return [
    call('loginWithOAuth2', async () => {
      const { url, codeVerifier } = app.generateOAuth2AuthLink(REDIRECT_URI, { scope: SCOPES })
      const code = await codeOf(scene, url)
      const login = await app.loginWithOAuth2({ code, codeVerifier, redirectUri: REDIRECT_URI })
      same(login.scope, SCOPES)
      user = login.client
      refreshToken = login.refreshToken ?? ''
    }),
    call('refreshOAuth2Token', async () => {
      const renewed = await app.refreshOAuth2Token(refreshToken)
      user = renewed.client
      refreshToken = renewed.refreshToken ?? ''
    }),
    call('v2.me', async () => {
      const fields = ['public_metrics', 'profile_image_url', 'verified'] as const
      const { data } = await user.v2.me({ 'user.fields': [...fields], expansions: ['pinned_tweet_id'] })
      same([data.id, data.public_metrics?.tweet_count], [me, 0])
    }),
    call('v2.userByUsername', async () => same((await user.v2.userByUsername('nasa')).data.username, 'nasa')),
    call('v2.uploadMedia of an image', async () => {
      image = await user.v2.uploadMedia(sample('picture.jpg'), { media_type: 'image/jpeg' })
    }),
    call('v2.uploadMedia of a video', async () => {
      video = await user.v2.uploadMedia(sample('clip.mp4'), { media_type: 'video/mp4', media_category: 'tweet_video' })
    }),
    call('v2.tweet with an image', async () => {
      const made = await user.v2.tweet('An image', { media: { media_ids: [image] }, reply_settings: 'following' })
      post = made.data.id
    }),
    call('v2.tweet with a video and no text', () => user.v2.tweet({ media: { media_ids: [video] } })),
    call('v2.tweets', async () => {
      const { data } = await user.v2.tweets([post], { 'tweet.fields': ['public_metrics', 'created_at', 'lang'] })
      same(typeof data[0]?.public_metrics?.impression_count, 'number')
    }),
    call('v2.singleTweet', async () => {
      const { data, includes } = await user.v2.singleTweet(post, {
        expansions: ['author_id', 'attachments.media_keys', 'referenced_tweets.id'],
        'tweet.fields': ['author_id', 'entities', 'conversation_id', 'edit_history_tweet_ids'],
        'media.fields': ['url', 'type', 'public_metrics'],
      })
      same([data.author_id, includes?.users?.length, includes?.media?.[0]?.type], [me, 1, 'photo'])
    }),
    call('v2.userTimeline', async () => {
      const found = await user.v2.userTimeline(me, { max_results: 5, exclude: ['replies', 'retweets'] })
      same(found.tweets.length, 2)
      same((await user.v2.userTimeline(me, { since_id: post })).tweets.length, 1)
    }),
    call('v2.userMentionTimeline', async () => {
      const found = await user.v2.userMentionTimeline(me, {
        expansions: ['author_id', 'in_reply_to_user_id'],
        'tweet.fields': ['created_at', 'author_id', 'conversation_id'],
        'user.fields': ['name', 'username', 'profile_image_url'],
      })
      same([found.tweets[0]?.id, found.meta.newest_id, found.includes.users.length], [mention, mention, 1])
    }),
    call('v2.reply', () => user.v2.reply('Thank you!', mention)),
    call('v2.deleteTweet', async () => same((await user.v2.deleteTweet(post)).data.deleted, true)),
    call('rateLimits of an answer', async () => {
      const { rateLimit } = await user.v2.get('users/me', undefined, { fullResponse: true })
      same(rateLimit?.limit, 75)
    }),
    call('v2.tweet of text only', () => user.v2.tweet('Hello')),
    call('v2.quote', () => user.v2.quote('See', mention), 'X has removed it from self-serve'),
    call('v2.search', () => user.v2.search('fanfare'), NO_SUCH),
    call('v2.like', () => user.v2.like(me, mention), 'X has removed it from self-serve'),
    call('v2.retweet', () => user.v2.retweet(me, mention), NO_SUCH),
    call('v2.followers', () => user.v2.followers(me), NO_SUCH),
    call('v2.users', () => user.v2.users([me]), NO_SUCH),
    call('v2.bookmarks', () => user.v2.bookmarks(), NO_SUCH),
    call('v2.createMediaMetadata', () => user.v2.createMediaMetadata(image, { alt_text: { text: 'Bread' } })),
    call('v2.listDmEvents', () => user.v2.listDmEvents(), NO_SUCH),
    call('revokeOAuth2Token', () => app.revokeOAuth2Token(refreshToken, 'refresh_token')),
    call('v2.me after it', () => user.v2.me(), 'the access has ended'),
  ]
}

async function xdk(t: Test): Promise<readonly ClientCall[]> {
  const scene = await givenX(t)
  const { account } = scene
  const mention = await givenMention(scene)
  const me = account.externalId
  // It sends the names of August 2026.
  const baseUrl = `${account.baseUrl}/sandbox=new-names`
  const oauth = new OAuth2({ ...(await givenApp(scene)), redirectUri: REDIRECT_URI, scope: SCOPES })
  const base64 = (name: string) => sample(name).toString('base64')
  let client = new Client({ baseUrl, accessToken: '' })
  let image = ''
  let video = ''
  let post = ''
  const call = callsBy('@xdevplatform/xdk')
  redirectTokenCalls(t, account.baseUrl)
  return [
    call('OAuth2.exchangeCode', async () => {
      const verifier = generateCodeVerifier()
      await oauth.setPkceParameters(verifier, await generateCodeChallenge(verifier))
      const code = await codeOf(scene, await oauth.getAuthorizationUrl('state'))
      same((await oauth.exchangeCode(code, verifier)).scope, SCOPES.join(' '))
    }),
    call('OAuth2.refreshToken', async () => {
      const { access_token: accessToken } = await oauth.refreshToken()
      client = new Client({ baseUrl, accessToken })
    }),
    call('users.getMe', async () => {
      const { data } = await client.users.getMe({ userFields: ['public_metrics', 'verified', 'subscription_type'] })
      same(data?.id, me)
    }),
    call('users.getByUsername', async () => same((await client.users.getByUsername('nasa')).data?.username, 'nasa')),
    call('media.upload in base64', async () => {
      const made = await client.media.upload({ media: base64('picture.jpg'), mediaCategory: 'tweet_image' })
      image = made.data?.id ?? ''
    }),
    call('media.initializeUpload', async () => {
      const totalBytes = sample('clip.mp4').length
      const begun = { mediaType: 'video/mp4', totalBytes, mediaCategory: 'tweet_video' } as const
      video = (await client.media.initializeUpload(begun)).data?.id ?? ''
    }),
    call('media.appendUpload in base64', () =>
      client.media.appendUpload(video, { media: base64('clip.mp4'), segmentIndex: 0 }),
    ),
    call('media.finalizeUpload', async () => same((await client.media.finalizeUpload(video)).data?.id, video)),
    call('media.getUploadStatus without a command', async () => {
      await client.media.getUploadStatus(video)
      const { data } = await client.media.getUploadStatus(video, { command: 'STATUS' })
      same(data?.processingInfo?.state, 'succeeded')
    }),
    call('posts.create with an image', async () => {
      const made = await client.posts.create({ text: 'An image', media: { mediaIds: [image] }, madeWithAi: true })
      post = made.data?.id ?? ''
    }),
    call('posts.create with a video', () => client.posts.create({ text: '', media: { mediaIds: [video] } })),
    call('posts.getByIds', async () => {
      const { data } = await client.posts.getByIds([post], { postFields: ['public_metrics', 'created_at'] })
      same(typeof data?.[0]?.publicMetrics?.['repostCount'], 'number')
    }),
    call('posts.getById', async () => same((await client.posts.getById(post)).data?.id, post)),
    call('users.getPosts', async () => {
      const { data } = await client.users.getPosts(me, { maxResults: 5, expansions: ['attachments.media_keys'] })
      same(data?.length, 2)
    }),
    call('users.getMentions', async () => {
      const { data } = await client.users.getMentions(me, { expansions: ['author_id'], userFields: ['username'] })
      same(data?.[0]?.id, mention)
    }),
    call('posts.create as a reply', () =>
      client.posts.create({ text: 'Thank you!', reply: { inReplyToTweetId: mention } }),
    ),
    call('posts.delete', async () => same((await client.posts.delete(post)).data?.deleted, true)),
    call('posts.searchRecent', () => client.posts.searchRecent('fanfare'), NO_SUCH),
    call(
      'posts.getAnalytics',
      () => client.posts.getAnalytics([post], '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
      NO_SUCH,
    ),
    call('users.likePost', () => client.users.likePost(me, { tweetId: mention }), 'X has removed it from self-serve'),
    call('users.getFollowers', () => client.users.getFollowers(me), NO_SUCH),
    call('media.createMetadata', () => client.media.createMetadata({ id: image })),
  ]
}

/** This client has no setting for the host of its tokens. */
function redirectTokenCalls(t: Pick<Test, 'teardown'>, baseUrl: string): void {
  const real = globalThis.fetch
  globalThis.fetch = (input, init) =>
    real(input === 'https://api.x.com/2/oauth2/token' ? `${baseUrl}/2/oauth2/token` : input, init)
  t.teardown(() => {
    globalThis.fetch = real
  })
}

/** A problem (RFC 7807), which is how X words its refusals. */
const problem = z.object({ title: z.string(), detail: z.string(), type: z.string() })

function isOfX(error: unknown): boolean {
  const data: unknown = error instanceof ApiResponseError || error instanceof ApiError ? error.data : undefined
  return problem.safeParse(data).success
}

t.test(
  'given clients of X that others wrote, then the stand-in takes their calls, or refuses them as X does',
  async (t) => {
    await runClients(t, [...(await twitterApiV2(t)), ...(await xdk(t))], isOfX)
  },
)
