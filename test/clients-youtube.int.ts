import { Readable } from 'node:stream'
import { youtube, type youtube_v3 } from '@googleapis/youtube'
import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { consent } from './support/browser.ts'
import { callsBy, runClients, same, type ClientCall } from './support/clients.ts'
import { interceptingProxy } from './support/intercepting-proxy.ts'
import { postJson } from './support/sandbox.ts'
import { CLIP, givenChannel, PICTURE, wrote, type Scene } from './support/youtube.ts'

/* Google's own clients against the stand-in: what it has, it takes as they send it. */

const REDIRECT_URI = 'http://127.0.0.1:3000/callback'
const MANAGE = 'https://www.googleapis.com/auth/youtube.force-ssl'
const NO_SUCH = 'Fanfare does not use it'

async function givenOAuth({ http, sandbox, account }: Scene): Promise<OAuth2Client> {
  const made = await postJson(http, `${sandbox.url}/_control/apps`, { platform: 'youtube', redirectUri: REDIRECT_URI })
  return new OAuth2Client({
    ...z.object({ clientId: z.string(), clientSecret: z.string() }).parse(made.json()),
    redirectUri: REDIRECT_URI,
    endpoints: {
      oauth2AuthBaseUrl: `${account.baseUrl}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${account.baseUrl}/token`,
      oauth2RevokeUrl: `${account.baseUrl}/revoke`,
      tokenInfoUrl: `${account.baseUrl}/tokeninfo`,
    },
  })
}

async function googleClients(t: Test): Promise<readonly ClientCall[]> {
  const scene = await givenChannel(t)
  const { account } = scene
  const me = account.externalId
  const auth = await givenOAuth(scene)
  // `rootUrl` is a host, and the stand-in is below a path. Uploads have it from each call only.
  const { url: rootUrl } = await interceptingProxy(t, account.baseUrl)
  const { videos, channels, playlistItems, comments, commentThreads, ...others } = youtube({
    version: 'v3',
    auth,
    rootUrl,
    retry: false,
  })
  const comment = wrote(scene, 'UgxOneOfAnns4AaABAg', 60_000)
  const snippet = { title: 'A walk', description: 'In the park #fanfare' }
  const codeOf = async (link: string) => {
    const back = await consent(link, me, 'allow')
    return new URL(back).searchParams.get('code') ?? back
  }
  const login = callsBy('google-auth-library')
  const call = callsBy('@googleapis/youtube')
  let video = ''
  let session = ''
  const start = async (over: object = {}) => {
    const { headers } = await auth.request({
      method: 'POST',
      url: `${rootUrl}/upload/youtube/v3/videos`,
      params: { uploadType: 'resumable', part: 'snippet,status' },
      headers: { 'X-Upload-Content-Length': `${CLIP.length}`, 'X-Upload-Content-Type': 'video/mp4' },
      data: { snippet, status: { privacyStatus: 'unlisted' }, ...over },
    })
    session = headers.get('location') ?? ''
  }
  return [
    login('getToken', async () => {
      const code = await codeOf(auth.generateAuthUrl({ access_type: 'offline', prompt: 'consent', scope: MANAGE }))
      const { tokens } = await auth.getToken(code)
      same([tokens.scope, tokens.token_type], [MANAGE, 'Bearer'])
    }),
    login('getToken with a proof key', async () => {
      const { codeVerifier, codeChallenge = '' } = await auth.generateCodeVerifierAsync()
      const link = auth.generateAuthUrl({
        access_type: 'offline',
        scope: [MANAGE, 'openid'],
        include_granted_scopes: true,
        code_challenge_method: CodeChallengeMethod.S256,
        code_challenge: codeChallenge,
        state: 'a state',
        login_hint: 'someone@example.com',
      })
      const { tokens } = await auth.getToken({ code: await codeOf(link), codeVerifier })
      auth.setCredentials(tokens)
    }),
    login('refreshAccessToken', async () => {
      const { credentials } = await auth.refreshAccessToken()
      same(typeof credentials.refresh_token, 'string')
    }),
    login('getAccessToken of an old one', async () => {
      auth.setCredentials({ ...auth.credentials, expiry_date: 1 })
      same(typeof (await auth.getAccessToken()).token, 'string')
    }),
    call('channels.list of one’s own', async () => {
      const { data } = await channels.list({ part: ['snippet', 'contentDetails', 'statistics'], mine: true })
      same([data.items?.[0]?.id, data.items?.[0]?.snippet?.title, data.pageInfo?.totalResults], [me, 'Park Walks', 1])
    }),
    call('channels.list by id', async () => {
      const { data } = await channels.list({ part: ['id,statistics'], id: [me], maxResults: 1 })
      same(data.items?.[0]?.statistics?.hiddenSubscriberCount, false)
    }),
    call('channels.list by handle', async () => {
      const { data } = await channels.list({ part: ['id', 'brandingSettings', 'status'], forHandle: '@nasa' })
      same(data.items?.length, 1)
    }),
    call('videos.insert', async () => {
      const { data } = await videos.insert(
        {
          part: ['snippet', 'status'],
          notifySubscribers: false,
          requestBody: {
            snippet: { ...snippet, categoryId: '24', tags: ['walks', 'a park'], defaultLanguage: 'en' },
            status: { privacyStatus: 'unlisted', selfDeclaredMadeForKids: false, embeddable: true, license: 'youtube' },
          },
          media: { mimeType: 'video/mp4', body: Readable.from([CLIP]) },
        },
        { rootUrl },
      )
      video = data.id ?? ''
      same(
        [data.snippet?.channelId, data.snippet?.tags, data.status?.uploadStatus, data.status?.privacyStatus],
        [me, ['walks', 'a park'], 'uploaded', 'unlisted'],
      )
    }),
    call('videos.insert of a title only', async () => {
      const { data } = await videos.insert(
        {
          part: ['snippet'],
          requestBody: { snippet: { title: 'Another walk' } },
          media: { body: Readable.from([CLIP]) },
        },
        { rootUrl },
      )
      same([data.snippet?.categoryId, data.snippet?.description, data.status], ['22', '', undefined])
      same(
        scene.live().map(({ details }) => details?.['privacyStatus']),
        ['unlisted', 'public'],
      )
    }),
    call('a resumable upload at once', async () => {
      await start()
      const { data, status } = await auth.request<youtube_v3.Schema$Video>({ method: 'PUT', url: session, data: CLIP })
      same([status, data.snippet?.title], [201, 'A walk'])
    }),
    call('a resumable upload in parts', async () => {
      await start({ status: { privacyStatus: 'private' } })
      const size = CLIP.length
      const headers = { 'Content-Range': `bytes */${size}` }
      const asked = await auth.request({ method: 'PUT', url: session, headers, validateStatus: () => true })
      same([asked.status, asked.headers.get('range')], [308, null])
      const whole = { 'Content-Type': 'video/mp4', 'Content-Range': `bytes 0-${size - 1}/${size}` }
      const { data } = await auth.request<youtube_v3.Schema$Video>({
        method: 'PUT',
        url: session,
        headers: whole,
        data: CLIP,
      })
      same([data.kind, data.status?.privacyStatus], ['youtube#video', 'private'])
    }),
    call('videos.list', async () => {
      const part = ['id', 'snippet', 'contentDetails', 'status', 'processingDetails', 'statistics', 'player']
      const { data } = await videos.list({ part, id: [video, 'unknown0000'] })
      const [found, ...more] = data.items ?? []
      same([found?.id, found?.snippet?.title, more.length], [video, 'A walk', 0])
      same([found?.processingDetails?.processingStatus, found?.statistics?.favoriteCount], ['processing', '0'])
      same(data.pageInfo, { totalResults: 1, resultsPerPage: 1 })
    }),
    call('playlistItems.list of the uploads', async () => {
      const playlistId = me.replace('UC', 'UU')
      const { data } = await playlistItems.list({ part: ['id', 'snippet', 'status'], playlistId, maxResults: 3 })
      same([data.items?.length, data.pageInfo?.totalResults], [3, 4])
      const next = { playlistId, maxResults: 3, ...(data.nextPageToken && { pageToken: data.nextPageToken }) }
      const rest = await playlistItems.list({ part: ['contentDetails'], ...next })
      same(rest.data.items?.[0]?.contentDetails?.videoId, video)
    }),
    call('thumbnails.set', async () => {
      const media = () => ({ mimeType: 'image/jpeg', body: Readable.from([PICTURE]) })
      const { data } = await others.thumbnails.set({ videoId: video, media: media() }, { rootUrl })
      same([data.kind, data.items?.[0]?.default?.width], ['youtube#thumbnailSetResponse', 120])
      const related = { videoId: video, media: media(), requestBody: {} }
      same((await others.thumbnails.set(related, { rootUrl })).status, 200)
    }),
    call('playlistItems.insert', async () => {
      const resourceId = { kind: 'youtube#video', videoId: video }
      const requestBody = { snippet: { playlistId: 'PLwalks', resourceId, position: 0 } }
      const { data } = await playlistItems.insert({ part: ['id', 'snippet'], requestBody })
      same([data.snippet?.playlistId, data.snippet?.resourceId?.videoId], ['PLwalks', video])
    }),
    call('playlistItems.list of a video', async () => {
      const of = { part: ['contentDetails'], playlistId: 'PLwalks' }
      const { data } = await playlistItems.list({ ...of, videoId: video })
      same([data.items?.length, data.items?.[0]?.contentDetails?.videoId], [1, video])
      same((await playlistItems.list({ ...of, videoId: 'another0000' })).data.items, [])
    }),
    call('commentThreads.list of the channel', async () => {
      const { data } = await commentThreads.list({
        part: ['snippet', 'replies'],
        allThreadsRelatedToChannelId: me,
        maxResults: 100,
        textFormat: 'plainText',
      })
      same([data.items?.length, data.items?.[0]?.snippet?.topLevelComment?.id], [1, comment])
    }),
    call('commentThreads.list of a video', async () => {
      const under = wrote(scene, 'UgxUnderIt0000004AaABAg', 30_000, { postId: video })
      const { data } = await commentThreads.list({ part: ['id', 'snippet'], videoId: video, order: 'relevance' })
      same([data.items?.length, data.items?.[0]?.id, data.items?.[0]?.snippet?.videoId], [1, under, video])
    }),
    call('commentThreads.list by id', async () => {
      const { data } = await commentThreads.list({ part: ['snippet'], id: [comment] })
      same(data.items?.[0]?.snippet?.canReply, true)
    }),
    call('comments.insert as a reply', async () => {
      const requestBody = { snippet: { parentId: comment, textOriginal: 'Thank you!' } }
      const { data } = await comments.insert({ part: ['id', 'snippet'], requestBody })
      same([data.snippet?.parentId, data.snippet?.authorChannelId?.value], [comment, me])
    }),
    call('comments.list of replies', async () => {
      const { data } = await comments.list({ part: ['snippet'], parentId: comment, textFormat: 'plainText' })
      same(
        data.items?.map((each) => each.snippet?.textOriginal),
        ['Thank you!'],
      )
    }),
    call('comments.list by id', async () => {
      const { data } = await comments.list({ part: ['id', 'snippet'], id: [comment, 'UgxUnknown'] })
      same(
        data.items?.map(({ id }) => id),
        [comment],
      )
    }),
    call('a call with the parameters that all have', async () => {
      const shared = { quotaUser: 'someone', prettyPrint: false, alt: 'json', key: 'AIzaSyA-key' }
      same((await videos.list({ part: ['status'], id: [video], ...shared })).status, 200)
    }),
    call(
      'thumbnails.set of no image',
      () =>
        others.thumbnails.set(
          { videoId: video, media: { mimeType: 'image/png', body: Readable.from(['png']) } },
          { rootUrl },
        ),
      'it is no image',
    ),
    call(
      'playlistItems.insert into the uploads',
      () => {
        const resourceId = { kind: 'youtube#video', videoId: video }
        const snippet = { playlistId: me.replace('UC', 'UU'), resourceId }
        return playlistItems.insert({ part: ['snippet'], requestBody: { snippet } })
      },
      'YouTube does not allow it',
    ),
    call('videos.update', async () => {
      const changed = { ...snippet, title: 'A long walk', categoryId: '22' }
      const { data } = await videos.update({ part: ['snippet'], requestBody: { id: video, snippet: changed } })
      same([data.snippet?.title, data.snippet?.description], ['A long walk', snippet.description])
    }),
    call(
      'videos.update without a category',
      () => videos.update({ part: ['snippet'], requestBody: { id: video, snippet } }),
      'YouTube requires one',
    ),
    call('videos.delete', async () => same((await videos.delete({ id: video })).status, 204)),
    call('videos.delete again', () => videos.delete({ id: video }), 'the video is gone'),
    call('videos.list without a filter', () => videos.list({ part: ['snippet'] }), 'YouTube wants one'),
    call('videos.list of an unknown part', () => videos.list({ part: ['secrets'], id: ['a'] }), 'YouTube has no such'),
    call(
      'videos.insert without a title',
      () =>
        videos.insert(
          { part: ['snippet'], requestBody: { snippet: {} }, media: { body: Readable.from([CLIP]) } },
          { rootUrl },
        ),
      'YouTube wants one',
    ),
    call('videos.rate', () => videos.rate({ id: video, rating: 'like' }), NO_SUCH),
    call('videos.list of the most popular', () => videos.list({ part: ['id'], chart: 'mostPopular' }), NO_SUCH),
    call(
      'commentThreads.insert without a text',
      () => commentThreads.insert({ part: ['snippet'], requestBody: { snippet: { videoId: video } } }),
      'YouTube wants one',
    ),
    call('comments.delete', () => comments.delete({ id: comment }), NO_SUCH),
    call('search.list', () => others.search.list({ part: ['snippet'], forMine: true, type: ['video'] }), NO_SUCH),
    call('playlists.list', () => others.playlists.list({ part: ['id'], mine: true }), NO_SUCH),
    login('getTokenInfo', () => auth.getTokenInfo(auth.credentials.access_token ?? ''), NO_SUCH),
    login('revokeCredentials', async () => {
      const { refresh_token: refreshToken } = auth.credentials
      same((await auth.revokeCredentials()).status, 200)
      auth.setCredentials({ refresh_token: refreshToken ?? null })
    }),
    login('refreshAccessToken after it', () => auth.refreshAccessToken(), 'the access has ended'),
  ]
}

const googleError = z.object({
  error: z.object({
    code: z.number(),
    message: z.string().min(1),
    errors: z.array(z.object({ domain: z.string(), reason: z.string(), message: z.string() })).min(1),
  }),
})
const oauthError = z.object({ error: z.string(), error_description: z.string() })
const thrown = z.object({ response: z.object({ data: z.union([googleError, oauthError]) }) })

const isOfGoogle = (error: unknown): boolean => thrown.safeParse(error).success

t.test('given Google’s clients, then the stand-in takes their calls, or refuses them as YouTube does', async (t) => {
  await runClients(t, await googleClients(t), isOfGoogle)
})
