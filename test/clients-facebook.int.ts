import https, { Agent } from 'node:https'
import { connect } from 'node:net'
import {
  Business,
  Comment,
  FacebookAdsApi,
  FacebookAdsApiBatch,
  Page,
  PagePost,
  Photo,
  User,
} from 'facebook-nodejs-business-sdk'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { callsBy, runClients, same, type ClientCall } from './support/clients.ts'
import { givenScene } from './support/facebook.ts'
import { givenAccount, postJson } from './support/sandbox.ts'

/* Meta's own client against the stand-in: what it has, it takes as the client sends it. */

const NO_SUCH = 'Fanfare does not use it'

/** Its calls go to the stand-in, without TLS: it has no setting for another host. */
function redirectCalls(t: Pick<Test, 'teardown'>, url: string): void {
  const { hostname, port } = new URL(url)
  const agent = new Agent()
  agent.createConnection = () => connect(Number(port), hostname)
  const real = https.globalAgent
  https.globalAgent = agent
  t.teardown(() => {
    https.globalAgent = real
    agent.destroy()
  })
}

const published = z.object({
  status: z.object({ publishing_phase: z.object({ publish_status: z.literal('published') }) }),
})

async function businessSdk(t: Test): Promise<readonly ClientCall[]> {
  const { sandbox, http, proxy, given } = await givenScene(t)
  redirectCalls(t, proxy.url)
  const { externalId: pageId, credentials } = given
  const owned = await givenAccount(http, sandbox, 'facebook', { label: 'portfolio Bakery' })
  const as = (token: string | undefined) => new FacebookAdsApi(token ?? '', 'en_US', false)
  const [api, person, owner] = [credentials, credentials, owned.credentials].map((secrets, index) =>
    as(index === 0 ? secrets['accessToken'] : secrets['userToken']),
  ) as [FacebookAdsApi, FacebookAdsApi, FacebookAdsApi]
  const page = new Page(pageId, undefined, undefined, api)
  const me = new User('me', undefined, undefined, person)
  const post = (id: string) => new PagePost(id, undefined, undefined, api)
  const comment = (id: string) => new Comment(id, undefined, undefined, api)
  const [image, clip] = ['jpg', 'mp4'].map((type) => `${sandbox.url}/media/sample.${type}`)
  const newPhoto = async () => (await page.createPhoto([], { url: image, published: false })).id
  const fan = async (text: string) => {
    const written = { platform: 'facebook', accountId: pageId, postId: ids.album, text, author: 'Ada' }
    return z
      .object({ id: z.string() })
      .parse((await postJson(http, `${sandbox.url}/_control/comments`, written)).json()).id
  }
  const ids = { photo: '', single: '', album: '', loose: '', video: '', reel: '', fan: '', comment: '' }
  const call = callsBy('facebook-nodejs-business-sdk')
  return [
    call('User.getPermissions', async () => {
      const granted = (await me.getPermissions([])).map(({ _data: { permission } }) => permission)
      same(granted.includes('pages_manage_posts'), true)
    }),
    call('User.getAccounts', async () => {
      const [found] = await me.getAccounts(['id', 'name', 'access_token', 'tasks'], { limit: 10 })
      same([found?.id, found?._data['access_token']], [pageId, credentials['accessToken']])
    }),
    call('User.getBusinesses and Business.getOwnedPages', async () => {
      const [business] = await new User('me', undefined, undefined, owner).getBusinesses(['id', 'name'])
      const its = new Business(business?.id ?? '', undefined, undefined, owner)
      same((await its.getOwnedPages(['id', 'access_token']))[0]?.id, owned.externalId)
    }),
    call('Page.get', async () => {
      const { _data } = await page.get(['id', 'name', 'category', 'link', 'access_token'])
      same([_data['name'], _data['access_token']], ['Acme Bakery', credentials['accessToken']])
    }),
    call('Page.createPhoto, unpublished', async () => {
      ids.photo = await newPhoto()
      same((await new Photo(ids.photo, undefined, undefined, api).get(['id'])).id, ids.photo)
    }),
    call('Page.createFeed with a photo', async () => {
      const attached_media = [{ media_fbid: ids.photo }]
      ids.single = (await page.createFeed([], { message: 'A photo', attached_media, published: true })).id
    }),
    call('Page.createFeed with several photos', async () => {
      const attached_media = [{ media_fbid: await newPhoto() }, { media_fbid: await newPhoto() }]
      ids.album = (await page.createFeed([], { message: 'Two photos', attached_media })).id
    }),
    call('Page.createPhoto, published', async () => {
      const { _data } = await page.createPhoto([], { url: image, caption: 'At once' })
      ids.loose = z.string().parse(_data['post_id'])
    }),
    call('Page.createPhotoStory', async () => {
      same((await page.createPhotoStory([], { photo_id: await newPhoto() }))._data['success'], true)
    }),
    call(
      'Page.createPhotoStory of a photo in a post',
      () => page.createPhotoStory([], { photo_id: ids.photo }),
      'a published photo cannot be a story',
    ),
    call('Page.createVideo', async () => {
      ids.video = (await page.createVideo([], { file_url: clip, description: 'A video', published: true })).id
    }),
    call('Page.createVideoReel', async () => {
      const { _data } = await page.createVideoReel([], { upload_phase: 'start' })
      const begun = z.object({ video_id: z.string(), upload_url: z.url() }).parse(_data)
      const headers = { authorization: `OAuth ${credentials['accessToken']}`, file_url: clip ?? '' }
      same((await http.request(begun.upload_url, { method: 'POST', headers })).status, 200)
      const finish = {
        upload_phase: 'finish',
        video_id: begun.video_id,
        video_state: 'PUBLISHED',
        description: 'A reel',
      }
      same((await page.createVideoReel([], finish))._data['success'], true)
      ids.reel = begun.video_id
    }),
    call('get of a video, until it is published', async () => {
      const fields = ['status', 'post_id', 'permalink_url', 'published']
      // Its own `AdVideo` has no `get`, and an object cannot be read into twice.
      const look = async () => (await post(ids.reel).get(fields))._data
      for (let looks = 0; looks < 5; looks += 1) await look()
      published.parse(await look())
    }),
    call('PagePost.get', async () => {
      const fields = ['message', 'created_time', 'permalink_url', 'attachments{media_type,target{id}}']
      const { _data } = await post(ids.single).get([...fields, 'comments.limit(0).summary(true)'])
      same([_data['message'], 'comments' in _data], ['A photo', true])
    }),
    call('PagePost.get of several photos', async () => {
      const { _data } = await post(ids.album).get(['attachments{media_type,subattachments}'])
      const [album] = withAlbum.parse(_data).attachments.data
      same([album.media_type, album.subattachments.data.length], ['album', 2])
    }),
    call('Page.getPublishedPosts, page by page', async () => {
      const posts = await page.getPublishedPosts(['id', 'message'], { limit: 2 })
      const first = posts.map(({ id }) => id)
      const second = (await posts.next()).map(({ id, _data: { message } }) => [id, message])
      same([first.length, second.at(-1)], [2, [ids.album, 'Two photos']])
    }),
    call('Page.getVideos', async () => {
      const videos = await page.getVideos(['id', 'description', 'created_time'], { type: 'uploaded' })
      same(videos.map(({ id }) => id).includes(ids.video), true)
    }),
    call('Page.getVideoReels', async () => same((await page.getVideoReels(['id', 'post_id']))[0]?.id, ids.reel)),
    call('PagePost.createComment', async () => {
      ids.comment = (await post(ids.album).createComment([], { message: 'First!' })).id
    }),
    call('PagePost.getComments', async () => {
      ids.fan = await fan('Lovely')
      const fields = [
        'id',
        'message',
        'from{id,name}',
        'created_time',
        'is_hidden',
        'parent{id}',
        'comments.limit(5){id}',
      ]
      const params = { order: 'reverse_chronological', filter: 'toplevel', summary: true, limit: 1 }
      const comments = await post(ids.album).getComments(fields, params)
      same([comments[0]?.id, comments.summary?.['total_count']], [ids.fan, 2])
      same((await comments.next())[0]?.id, ids.comment)
      same(comments.hasNext(), false)
    }),
    call('Comment.get', async () => same((await comment(ids.fan).get(['message']))._data['message'], 'Lovely')),
    call('Comment.createComment', async () => comment(ids.fan).createComment([], { message: 'Thank you!' })),
    call('Comment.getComments', async () => {
      same((await comment(ids.fan).getComments(['message']))[0]?._data['message'], 'Thank you!')
    }),
    call('Page.getTagged', async () => same((await page.getTagged(['id', 'message'])).length, 0)),
    call('PagePost.update', async () => {
      await post(ids.single).update([], { message: 'Changed' })
      same((await post(ids.single).get(['message']))._data['message'], 'Changed')
    }),
    call('PagePost.delete', async () => same(await post(ids.loose).delete([]), { success: true })),
    call('PagePost.get of a deleted post', () => post(ids.loose).get(['id']), 'the post is gone'),
    call('PagePost.get of an unknown field', () => post(ids.single).get(['secrets']), 'Facebook has no such field'),
    call(
      'Page.get of a stranger',
      () => new Page('1', undefined, undefined, api).get(['name']),
      'it is no Page of theirs',
    ),
    call('Page.createFeed of text only', () => page.createFeed([], { message: 'Hello' })),
    call(
      'Page.createFeed for later',
      () => page.createFeed([], { message: 'Later', published: false, scheduled_publish_time: 1_900_000_000 }),
      'Fanfare schedules posts itself',
    ),
    call('Page.createSubscribedApp', () => page.createSubscribedApp([], { subscribed_fields: ['feed'] }), NO_SUCH),
    call('Page.getFeed', () => page.getFeed(['id']), NO_SUCH),
    call('Page.getVisitorPosts', () => page.getVisitorPosts(['id']), NO_SUCH),
    call('Page.getConversations', () => page.getConversations(['id']), NO_SUCH),
    call('Page.getInsights', () => page.getInsights([], { metric: 'page_follows', period: 'day' }), NO_SUCH),
    call('PagePost.getInsights', () => post(ids.single).getInsights([], { metric: 'post_clicks' }), NO_SUCH),
    call('PagePost.getReactions', () => post(ids.single).getReactions(['id']), NO_SUCH),
    call('PagePost.createLike', () => post(ids.single).createLike([]), NO_SUCH),
    call('Comment.update, to hide it', () => comment(ids.fan).update([], { is_hidden: true }), NO_SUCH),
    call('Comment.delete', () => comment(ids.fan).delete([]), NO_SUCH),
    call('FacebookAdsApi.getAppID', () => api.getAppID(), NO_SUCH),
    call(
      'FacebookAdsApiBatch.execute',
      () => {
        const batch = new FacebookAdsApiBatch(api)
        batch.add('GET', [pageId])
        return batch.execute()
      },
      NO_SUCH,
    ),
    call(
      'Page.get with a token that is none',
      () => new Page(pageId, undefined, undefined, as('EAAB')).get(['id']),
      'Facebook accepts no such token',
    ),
  ]
}

const withAlbum = z.object({
  attachments: z.object({
    data: z.tuple([z.object({ media_type: z.string(), subattachments: z.object({ data: z.array(z.unknown()) }) })]),
  }),
})

/** https://developers.facebook.com/docs/graph-api/guides/error-handling */
const graphError = z.object({
  message: z.string().min(1),
  type: z.literal('OAuthException'),
  code: z.int(),
  fbtrace_id: z.string().min(1),
})
/** `getAppID` throws what its HTTP client threw. */
const thrown = z.object({ response: z.union([graphError, z.object({ data: z.object({ error: graphError }) })]) })

t.test('given Meta’s client, then the stand-in takes its calls, or refuses them as Facebook does', async (t) => {
  await runClients(t, await businessSdk(t), (error) => thrown.safeParse(error).success)
})
