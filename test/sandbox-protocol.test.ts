import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import t from 'tap'
import { z } from 'zod'
import type { Http, HttpRequest } from '../platforms/http.ts'
import type { Sandbox } from '../sandbox/index.ts'
import { systemClock } from '../system/clock.ts'
import {
  errorBody,
  givenAccount,
  givenHttp,
  givenPlainSandbox,
  postJson,
  type SandboxAccount,
} from './support/sandbox.ts'

const idBody = z.object({ id: z.string() })
const mediaBody = z.object({ mediaId: z.string(), bytes: z.number(), mimeType: z.string(), sha256: z.string() })

const bearer = ({ credentials }: SandboxAccount) => ({ authorization: `Bearer ${credentials['accessToken']}` })

async function sampleImage(http: Http, sandbox: Sandbox): Promise<Uint8Array> {
  return (await http.request(`${sandbox.url}/media/sample.jpg`)).body
}

async function givenMedia(http: Http, sandbox: Sandbox, account: SandboxAccount): Promise<string> {
  const response = await http.request(`${account.baseUrl}/media`, {
    method: 'POST',
    headers: { ...bearer(account), 'content-type': 'image/jpeg' },
    body: await sampleImage(http, sandbox),
  })
  return mediaBody.parse(response.json()).mediaId
}

t.test('the plain protocol refuses what is not exactly right', async (t) => {
  const http = givenHttp(t)
  const sandbox = await givenPlainSandbox(t)
  const account = await givenAccount(http, sandbox, 'facebook')
  const stranger = await givenAccount(http, sandbox, 'facebook')
  const elsewhere = await givenAccount(http, sandbox, 'threads')
  const mediaId = await givenMedia(http, sandbox, account)
  const post = { clientToken: 'token-1', mediaId, text: 'hello', createdAt: '2026-03-01T10:00:00.000Z' }
  const { mediaId: _, ...withoutMedia } = post

  for (const [body, headers, status, code] of [
    [post, {}, 401, 'missing_token'],
    [post, { authorization: 'Bearer made-up' }, 401, 'invalid_token'],
    [post, { authorization: `Bearer ${account.credentials['refreshToken']}` }, 401, 'invalid_token'],
    [post, bearer(elsewhere), 401, 'invalid_token'],
    [post, bearer(stranger), 400, 'unknown_media'],
    [{ ...post, mediaId: 'none' }, bearer(account), 400, 'unknown_media'],
    [withoutMedia, bearer(account), 400, 'invalid_request'],
    [{ ...post, audience: 'all' }, bearer(account), 400, 'invalid_request'],
    [{ ...post, createdAt: 'today' }, bearer(account), 400, 'invalid_request'],
    [{ ...post, clientToken: '' }, bearer(account), 400, 'invalid_request'],
    [{ ...post, text: '🎺'.repeat(2_201) }, bearer(account), 400, 'invalid_request'],
    [post, { ...bearer(account), 'content-type': 'text/plain' }, 415, 'unsupported_content_type'],
    [post, { ...bearer(account), 'content-type': 'image/jpeg' }, 415, 'unsupported_content_type'],
  ] as const) {
    const refused = await postJson(http, `${account.baseUrl}/posts`, body, headers)
    t.equal(refused.status, status, `${code} for ${JSON.stringify(body).slice(0, 120)}`)
    t.equal(errorBody.parse(refused.json()).error.code, code)
  }
  t.same(sandbox.ledger.posts('facebook'), [], 'nothing is live')

  const longest = { ...post, text: '🎺'.repeat(2_200) }
  const accepted = await postJson(http, `${account.baseUrl}/posts`, longest, bearer(account))
  t.equal(accepted.status, 201, '2,200 characters are not too many')
  const { id } = idBody.parse(accepted.json())
  for (const [of, body, headers, status] of [
    [id, { clientToken: 'c', text: ' ' }, bearer(account), 400],
    [id, { clientToken: 'c', text: 'nice', inReplyTo: 'none' }, bearer(account), 400],
    [id, { clientToken: 'c', text: 'nice' }, bearer(stranger), 404],
    ['none', { clientToken: 'c', text: 'nice' }, bearer(account), 404],
  ] as const) {
    t.equal((await postJson(http, `${account.baseUrl}/posts/${of}/comments`, body, headers)).status, status)
  }
})

t.test('media are taken as a stream of any size, and by what they are', async (t) => {
  const http = givenHttp(t)
  const sandbox = await givenPlainSandbox(t)
  const account = await givenAccount(http, sandbox, 'youtube')
  const upload = (request: HttpRequest) =>
    http.request(`${account.baseUrl}/media`, {
      method: 'POST',
      ...request,
      headers: { ...bearer(account), ...request.headers },
    })

  const { body: video } = await http.request(`${sandbox.url}/media/sample.mp4`)
  const filler = randomBytes(1024 * 1024)
  const parts = [video, ...Array<Uint8Array>(32).fill(filler)]
  const bytes = parts.reduce((sum, part) => sum + part.length, 0)
  const large = await upload({
    headers: { 'content-type': 'video/mp4', 'content-length': String(bytes) },
    body: Readable.from(parts),
  })
  t.equal(large.status, 201)
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  t.match(mediaBody.parse(large.json()), { bytes, mimeType: 'video/mp4', sha256: hash.digest('hex') })

  const image = await sampleImage(http, sandbox)
  for (const [type, body, status, code] of [
    ['video/mp4', image, 400, 'media_type_mismatch'],
    ['image/png', Buffer.from('not an image at all'), 400, 'unknown_media_type'],
    ['image/png', '', 400, 'unknown_media_type'],
    ['application/json', '{}', 415, 'unsupported_content_type'],
  ] as const) {
    const refused = await upload({ headers: { 'content-type': type }, body })
    t.equal(refused.status, status, `${type} ${code}`)
    t.equal(errorBody.parse(refused.json()).error.code, code)
  }
  const unknown = await upload({
    headers: { authorization: 'Bearer x', 'content-type': 'video/mp4', 'content-length': String(bytes) },
    body: Readable.from(parts),
  })
  t.equal(unknown.status, 401, 'an upload under a bad token is told so, not cut off')
})

t.test('the same client token twice makes two live posts, so that a double shows', async (t) => {
  const http = givenHttp(t)
  const sandbox = await givenPlainSandbox(t)
  const account = await givenAccount(http, sandbox, 'linkedin')
  const mediaId = await givenMedia(http, sandbox, account)
  const post = { clientToken: 'same', mediaId, text: '', createdAt: '2026-03-01T10:00:00Z' }
  const search = async (token: string) =>
    z
      .object({ posts: z.array(idBody) })
      .parse((await http.request(`${account.baseUrl}/posts?clientToken=${token}`, { headers: bearer(account) })).json())

  t.equal((await search('same')).posts.length, 0)
  await postJson(http, `${account.baseUrl}/posts`, post, bearer(account))
  await postJson(http, `${account.baseUrl}/posts`, post, bearer(account))
  const { posts } = await search('same')
  t.equal(posts.length, 2)
  t.not(posts[0]?.id, posts[1]?.id)
  t.equal((await search('other')).posts.length, 0)
})

t.test("a fan's comment reaches the account's post, and is answered there", async (t) => {
  const http = givenHttp(t)
  const sandbox = await givenPlainSandbox(t)
  const account = await givenAccount(http, sandbox, 'instagram')
  const mediaId = await givenMedia(http, sandbox, account)
  const post = { clientToken: 'p', mediaId, text: 'hi', createdAt: '2026-03-01T10:00:00Z' }
  const { id: postId } = idBody.parse((await postJson(http, `${account.baseUrl}/posts`, post, bearer(account))).json())

  const control = `${sandbox.url}/_control/comments`
  const said = { platform: 'instagram', accountId: account.externalId, text: 'when?', author: 'ann' }
  const { id: fanId } = idBody.parse((await postJson(http, control, { ...said, postId })).json())
  t.equal((await postJson(http, control, said)).status, 201, 'a mention needs no post')
  t.equal(sandbox.ledger.commentsOf('instagram', account.externalId).length, 2)

  const comments = `${account.baseUrl}/posts/${postId}/comments`
  const reply = { clientToken: 'r', text: 'at noon', inReplyTo: fanId }
  t.equal((await postJson(http, comments, reply, bearer(account))).status, 201)
  t.match((await http.request(comments, { headers: bearer(account) })).json(), {
    comments: [
      { id: fanId, writtenBy: 'fan', author: 'ann', text: 'when?' },
      { inReplyTo: fanId, writtenBy: 'account', text: 'at noon' },
    ],
  })
  const live = (await http.request(`${sandbox.url}/_control/posts?platform=instagram`)).json()
  t.match(live, [{ id: postId, firstComment: undefined }], 'a reply is no first comment')
})

t.test('an access token ends after an hour of the clock', async (t) => {
  const http = givenHttp(t)
  let now = Date.parse('2026-03-01T10:00:00Z')
  const sandbox = await givenPlainSandbox(t, { clock: { ...systemClock, now: () => now } })
  const account = await givenAccount(http, sandbox, 'x')
  const me = () => http.request(`${account.baseUrl}/me`, { headers: bearer(account) })

  now += 3_599_999
  t.same((await me()).json(), { id: account.externalId, label: account.label })
  now += 1
  const expired = await me()
  t.equal(expired.status, 401)
  t.equal(errorBody.parse(expired.json()).error.code, 'token_expired')
})

t.test('a scripted expiry voids the token until it is refreshed', async (t) => {
  const http = givenHttp(t)
  const sandbox = await givenPlainSandbox(t)
  const account = await givenAccount(http, sandbox, 'x')
  const mediaId = await givenMedia(http, sandbox, account)
  const post = { clientToken: 'p', mediaId, text: 'hi', createdAt: '2026-03-01T10:00:00Z' }
  const publish = (headers: Record<string, string>) => postJson(http, `${account.baseUrl}/posts`, post, headers)
  await postJson(http, `${sandbox.url}/_control/faults`, { platform: 'x', call: 'publish', kind: 'token_expired' })

  t.equal((await publish(bearer(account))).status, 401)
  t.equal((await publish(bearer(account))).status, 401, 'the fault is used up, the token stays void')
  const { refreshToken } = account.credentials
  const refreshed = await postJson(http, `${account.baseUrl}/token/refresh`, { refreshToken })
  const { accessToken } = z.object({ accessToken: z.string() }).parse(refreshed.json())
  t.equal((await publish({ authorization: `Bearer ${accessToken}` })).status, 201)
  t.equal(sandbox.ledger.posts('x').length, 1)
})
