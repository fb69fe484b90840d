import t, { type Test } from 'tap'
import type { PlatformKey } from '../domain/core/platform.ts'
import { givenApi } from './support/api.ts'
import { vaultOf } from './support/world.ts'

/* What a preview says for those who show it: lengths, titles, first comments, and which field each problem is about. */

async function given(t: Test) {
  const api = await givenApi(t)
  const { world } = api
  const key = await api.key()
  const file = (name: string, type: string) => ({ url: `${world.sandbox.url}/media/${name}`, type })
  const preview = async (body: object, path = '/v1/posts/preview') => {
    const answer = await api.call({ method: 'POST', path, key, body })
    t.equal(answer.status, 200, answer.text)
    return answer.body['previews'] as readonly object[]
  }
  const on = async (...platforms: readonly PlatformKey[]) => {
    const accounts = platforms.map(async (platform) => [platform, [await world.account(platform)]] as const)
    return Object.fromEntries(await Promise.all(accounts)) as Record<string, [string]>
  }
  return { world, preview, on, image: file('sample.jpg', 'image'), video: file('sample.mp4', 'video') }
}

t.test('given a post, then each account counts its text in its own way', async (t) => {
  const { preview, on, video } = await given(t)
  const selections = await on('bluesky', 'threads', 'x', 'youtube')
  const caption = 'Bröd 👨‍👩‍👧 https://example.com/a/long/way'
  const previews = await preview({ media: [video], caption, selections })
  t.match(previews, [
    { platform: 'bluesky', textLength: { length: 37, limit: 300, unit: 'characters' } },
    { platform: 'threads', textLength: { limit: 500, unit: 'characters' } },
    { platform: 'x', textLength: { length: 31, limit: 280, unit: 'characters' } },
    { platform: 'youtube', textLength: { length: Buffer.byteLength(caption), limit: 5000, unit: 'bytes' } },
  ])
})

t.test('given an account with X Premium, then its own limits apply', async (t) => {
  const { world, preview, on, image } = await given(t)
  const selections = await on('x')
  const post = { media: [image], caption: 'a'.repeat(400), selections }
  t.match(await preview(post), [{ textLength: { length: 400, limit: 280 }, details: [{ path: 'caption' }] }])
  const vault = vaultOf(world)
  const id = selections['x']?.[0] ?? ''
  await vault.put(world.workspaceId, id, { ...(await vault.find(id)), maxChars: '25000' })
  t.match(await preview(post), [{ textLength: { length: 400, limit: 25_000 }, problems: { length: 0 } }])
})

t.test('given titles and first comments, then the preview has those that people see', async (t) => {
  const { preview, on, image, video } = await given(t)
  const ofVideo = { media: [video], caption: 'Rye\nIn three days', selections: await on('youtube', 'bluesky') }
  const [youtube, bluesky] = await preview({ ...ofVideo, platformOptions: { bluesky: { firstComment: 'Shop' } } })
  t.match(youtube, { title: 'Rye' })
  t.notMatch(youtube, { firstComment: String })
  t.match(bluesky, { firstComment: 'Shop' })
  t.notMatch(bluesky, { title: String })
  const selections = await on('pinterest', 'instagram')
  t.match(await preview({ media: [image], caption: 'Rye', firstComment: 'First!', selections }), [
    { platform: 'pinterest', title: 'Rye' },
    { platform: 'instagram', firstComment: 'First!' },
  ])
})

t.test('given problems, then each names the field that it is about', async (t) => {
  const { preview, on, image } = await given(t)
  const long = 'a'.repeat(3_001)
  const selections = await on('x', 'bluesky', 'instagram', 'linkedin', 'youtube')
  const platformOptions = { linkedin: { documentTitle: 'Rye' }, instagram: { placement: 'story' } }
  const captionOverrides = { bluesky: long }
  const body = {
    media: [image],
    caption: 'a'.repeat(281),
    captionOverrides,
    firstComment: 'First!',
    selections,
    platformOptions,
  }
  t.match(await preview(body), [
    { platform: 'x', details: [{ path: 'caption', message: /280/ }] },
    { platform: 'bluesky', details: [{ path: 'captionOverrides.bluesky' }] },
    { platform: 'instagram', details: [{ path: 'firstComment', message: /^First comment: / }] },
    { platform: 'linkedin', details: [{ path: 'platformOptions.linkedin.documentTitle' }] },
    { platform: 'youtube', details: [{ path: 'media', message: /does not support image posts/ }] },
  ])
  const [linkedin = ''] = selections['linkedin'] ?? []
  const accountOptions = { [linkedin]: { documentTitle: 'Rye' } }
  t.match(await preview({ media: [image], selections: { linkedin: [linkedin] }, accountOptions }), [
    { details: [{ path: `accountOptions.${linkedin}.documentTitle` }] },
  ])
  t.match(await preview({ media: [image], selections: { x: ['acc_none'] } }), [{ details: [{ path: 'selections.x' }] }])
})

t.test('given a chain, then its parts are previewed, with their problems', async (t) => {
  const { preview, on } = await given(t)
  const parts = [{ text: 'a'.repeat(281) }, { text: 'Two' }, { text: 'b'.repeat(281) }]
  const found = await preview({ parts, selections: await on('x', 'facebook') }, '/v1/posts/chain/preview')
  t.match(found, [
    {
      parts: [{ text: 'Two', textLength: { length: 3, limit: 280 } }, { textLength: { length: 281, limit: 280 } }],
      details: [{ path: 'parts[0].text' }, { path: 'parts[2]', message: /^Part 3: / }],
    },
    { details: [{ path: 'parts', message: /has no chains/ }] },
  ])
})
