import { randomUUID } from 'node:crypto'
import t from 'tap'
import { z } from 'zod'
import { COLLECTION } from '../platforms/bluesky/record.ts'
import { imageOf, referenceServer, sandboxServer, type BlueskyServer, type ServerAccount } from './support/bluesky.ts'
import { startPds } from './support/pds.ts'
import { givenHttp, givenSandbox } from './support/sandbox.ts'

t.setTimeout(120_000)

/** As Bluesky's own servers have it, and the sandbox. */
const UPLOAD_LIMIT = 52_428_800

const http = givenHttp(t)
const pds = await startPds({ blobUploadLimit: UPLOAD_LIMIT })
t.teardown(() => pds.close())
const sandbox = await givenSandbox(t)

interface Blob {
  readonly $type: 'blob'
  readonly ref: { readonly $link: string }
  readonly mimeType: string
  readonly size: number
}

/** One account with a post, an image and a text uploaded, and what else the requests below need. */
interface Scene {
  readonly url: string
  readonly me: ServerAccount
  readonly other: ServerAccount
  readonly access: string
  readonly refresh: string
  readonly deadRefresh: string
  readonly image: Blob
  readonly bigImage: Blob
  readonly text: Blob
  readonly postCid: string
}

interface Asked {
  readonly method: 'GET' | 'POST'
  readonly nsid: string
  readonly token?: string
  readonly type?: string
  readonly body?: string | Uint8Array
}

const JSON_TYPE = 'application/json'
const ABSENT_DID = 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa'
const ABSENT_CID = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
const POST_KEY = '3kabcabcabc22'
const FREE_KEY = '3kabcabcabc23'
const FACET = 'app.bsky.richtext.facet'
const valid = { $type: COLLECTION, text: 'A post', createdAt: '2026-11-21T10:00:00.000Z' }

const post = (nsid: string, body: object, token?: string): Asked => ({
  method: 'POST',
  nsid,
  type: JSON_TYPE,
  body: JSON.stringify(body),
  ...(token !== undefined && { token }),
})
const put = (scene: Scene, body: object): Asked =>
  post(
    'com.atproto.repo.putRecord',
    { repo: scene.me.did, collection: COLLECTION, rkey: FREE_KEY, ...body },
    scene.access,
  )
const record = (scene: Scene, more: object): Asked => put(scene, { record: { ...valid, ...more } })
const embed = (scene: Scene, image: object, more: object = {}): Asked =>
  record(scene, { embed: { $type: 'app.bsky.embed.images', images: [{ alt: '', image, ...more }] } })
const facet = (scene: Scene, feature: object, index: object = { byteStart: 0, byteEnd: 1 }): Asked =>
  record(scene, { facets: [{ index, features: [feature] }] })
const upload = (scene: Scene, body: Uint8Array, more: Partial<Asked> = {}): Asked => ({
  method: 'POST',
  nsid: 'com.atproto.repo.uploadBlob',
  token: scene.access,
  type: 'image/png',
  body,
  ...more,
})
const login = (body: object): Asked => post('com.atproto.server.createSession', body)
const get = (nsid: string, query: Record<string, string>, token?: string): Asked => ({
  method: 'GET',
  nsid: `${nsid}?${new URLSearchParams(query)}`,
  ...(token !== undefined && { token }),
})
const refresh = (token?: string): Asked => ({
  method: 'POST',
  nsid: 'com.atproto.server.refreshSession',
  ...(token !== undefined && { token }),
})
const session = (token?: string): Asked => get('com.atproto.server.getSession', {}, token)

type Case = readonly [what: string, status: number, error: string, ask: (scene: Scene) => Asked]

/** What is wrong, and what the reference server says to it: the sandbox must say the same. */
const WRONG_REQUESTS: readonly Case[] = [
  ['a wrong password', 401, 'AuthenticationRequired', ({ me }) => login({ identifier: me.did, password: 'no' })],
  ['an unknown identifier', 401, 'AuthenticationRequired', () => login({ identifier: 'no.test', password: 'no' })],
  ['a login without a password', 400, 'InvalidRequest', ({ me }) => login({ identifier: me.did })],
  ['a login that is not JSON', 400, 'SyntaxError', () => ({ ...login({}), body: '{' })],
  ['no token', 401, 'AuthMissing', () => session()],
  ['a token that is none', 400, 'InvalidToken', () => session('nonsense')],
  ['a refresh token as access token', 400, 'InvalidToken', ({ refresh }) => session(refresh)],
  ['an access token as refresh token', 400, 'InvalidToken', ({ access }) => refresh(access)],
  ['a refresh without a token', 401, 'AuthMissing', () => refresh()],
  ['a refresh token of an ended session', 400, 'ExpiredToken', ({ deadRefresh }) => refresh(deadRefresh)],
  ['a put without a token', 401, 'AuthMissing', (s) => ({ ...put(s, { record: valid }), token: '' })],
  ['a put into another account', 401, 'AuthenticationRequired', (s) => put(s, { repo: s.other.did, record: valid })],
  ['a put into no account', 403, 'AccountNotFound', (s) => put(s, { repo: ABSENT_DID, record: valid })],
  ['a repository that is no identifier', 400, 'InvalidRequest', (s) => put(s, { repo: 'x y', record: valid })],
  ['a put of plain text', 400, 'InvalidRequest', (s) => ({ ...put(s, { record: valid }), type: 'text/plain' })],
  ['a put without a record', 400, 'InvalidRequest', (s) => put(s, {})],
  ['a record that is a string', 400, 'InvalidRequest', (s) => put(s, { record: 'x' })],
  ['a put without a key', 400, 'InvalidRequest', (s) => put(s, { rkey: undefined, record: valid })],
  ['a key that is no record key', 400, 'InvalidRequest', (s) => put(s, { rkey: 'a b', record: valid })],
  ['a key that is no TID', 400, 'InvalidRequest', (s) => put(s, { rkey: 'post-1', record: valid })],
  ['a TID that begins too late', 400, 'InvalidRequest', (s) => put(s, { rkey: 'zkabcabcabc23', record: valid })],
  ['a collection that is no NSID', 400, 'InvalidRequest', (s) => put(s, { collection: 'nope', record: valid })],
  ['a record of another type', 400, 'InvalidRequest', (s) => record(s, { $type: 'app.bsky.feed.like' })],
  ['a text of 301 characters', 400, 'InvalidRequest', (s) => record(s, { text: 'x'.repeat(301) })],
  ['a text of over 3,000 bytes', 400, 'InvalidRequest', (s) => record(s, { text: '👨‍👩‍👧‍👦'.repeat(121) })],
  ['no text', 400, 'InvalidRequest', (s) => record(s, { text: undefined })],
  ['no time', 400, 'InvalidRequest', (s) => record(s, { createdAt: undefined })],
  ['a time that is none', 400, 'InvalidRequest', (s) => record(s, { createdAt: 'yesterday' })],
  ['a time without a zone', 400, 'InvalidRequest', (s) => record(s, { createdAt: '2026-11-21T10:00:00' })],
  ['a time without seconds', 400, 'InvalidRequest', (s) => record(s, { createdAt: '2026-11-21T10:00Z' })],
  ['a number with a fraction', 400, 'InvalidRequest', (s) => record(s, { more: { weight: 1.5 } })],
  ['four languages', 400, 'InvalidRequest', (s) => record(s, { langs: ['en', 'de', 'fr', 'it'] })],
  ['nine tags', 400, 'InvalidRequest', (s) => record(s, { tags: Array(9).fill('a') })],
  ['an answer to nothing', 400, 'InvalidRequest', (s) => record(s, { reply: { root: { uri: 'x', cid: 'y' } } })],
  [
    'a facet before the text',
    400,
    'InvalidRequest',
    (s) => facet(s, { $type: `${FACET}#tag`, tag: 'a' }, { byteStart: -1, byteEnd: 1 }),
  ],
  ['a mention of nobody', 400, 'InvalidRequest', (s) => facet(s, { $type: `${FACET}#mention`, did: '' })],
  ['a link that is none', 400, 'InvalidRequest', (s) => facet(s, { $type: `${FACET}#link`, uri: 'nope' })],
  ['a link to no host', 400, 'InvalidRequest', (s) => facet(s, { $type: `${FACET}#link`, uri: 'http:///x' })],
  ['a tag of 65 characters', 400, 'InvalidRequest', (s) => facet(s, { $type: `${FACET}#tag`, tag: 'a'.repeat(65) })],
  ['a blob that was never uploaded', 400, 'BlobNotFound', (s) => embed(s, { ...s.image, ref: { $link: ABSENT_CID } })],
  ['a blob of another size', 400, 'InvalidSize', (s) => embed(s, { ...s.image, size: 5 })],
  ['a blob of another type', 400, 'InvalidMimeType', (s) => embed(s, { ...s.image, mimeType: 'image/png' })],
  ['a blob by no CID', 400, 'InvalidRequest', (s) => embed(s, { ...s.image, ref: { $link: 'nope' } })],
  ['an image over 1,000,000 bytes', 400, 'InvalidRequest', (s) => embed(s, s.bigImage)],
  ['a text as image', 400, 'InvalidRequest', (s) => embed(s, s.text)],
  ['an image without alt', 400, 'InvalidRequest', (s) => embed(s, s.image, { alt: undefined })],
  ['an image of no width', 400, 'InvalidRequest', (s) => embed(s, s.image, { aspectRatio: { width: 0, height: 1 } })],
  [
    'five images',
    400,
    'InvalidRequest',
    (s) => record(s, { embed: { $type: 'app.bsky.embed.images', images: Array(5).fill({ alt: '', image: s.image }) } }),
  ],
  [
    'an image as video',
    400,
    'InvalidRequest',
    (s) => record(s, { embed: { $type: 'app.bsky.embed.video', video: s.image } }),
  ],
  [
    'creating over another post',
    400,
    'InvalidSwap',
    (s) => put(s, { rkey: POST_KEY, record: { ...valid, text: 'Else' }, swapRecord: null }),
  ],
  ['replacing what is not there', 400, 'InvalidSwap', (s) => put(s, { record: valid, swapRecord: s.postCid })],
  [
    'replacing another version',
    400,
    'InvalidSwap',
    (s) => put(s, { rkey: POST_KEY, record: { ...valid, text: 'Else' }, swapRecord: ABSENT_CID }),
  ],
  ['a swap of no CID', 400, 'InvalidRequest', (s) => put(s, { record: valid, swapRecord: 'nope' })],
  [
    'createRecord over a post',
    500,
    'InternalServerError',
    (s) =>
      post(
        'com.atproto.repo.createRecord',
        { repo: s.me.did, collection: COLLECTION, rkey: POST_KEY, record: { ...valid, text: 'Else' } },
        s.access,
      ),
  ],
  ['a JSON body of 200 kB', 413, 'PayloadTooLargeError', (s) => record(s, { text: 'x'.repeat(200_000) })],
  ['an upload without a token', 401, 'AuthMissing', (s) => upload(s, new Uint8Array(8), { token: '' })],
  ['an upload over the limit', 413, 'PayloadTooLarge', (s) => upload(s, new Uint8Array(UPLOAD_LIMIT + 1))],
  [
    'deleting another’s post',
    401,
    'AuthenticationRequired',
    (s) =>
      post('com.atproto.repo.deleteRecord', { repo: s.other.did, collection: COLLECTION, rkey: POST_KEY }, s.access),
  ],
  [
    'a post that is not there',
    400,
    'RecordNotFound',
    (s) => get('com.atproto.repo.getRecord', { repo: s.me.did, collection: COLLECTION, rkey: FREE_KEY }),
  ],
  [
    'the posts of nobody',
    400,
    'InvalidRequest',
    () => get('com.atproto.repo.listRecords', { repo: ABSENT_DID, collection: COLLECTION }),
  ],
  [
    'a handle that nobody has',
    400,
    'InvalidRequest',
    () => get('com.atproto.identity.resolveHandle', { handle: 'nobody.test' }),
  ],
  ['an unknown method without a token', 401, 'AuthMissing', () => get('com.atproto.server.nothing', {})],
]

const refusal = z.object({ error: z.string() })

const page = z.object({ records: z.array(z.object({ uri: z.string() })), cursor: z.string().optional() })
const tokens = z.object({ accessJwt: z.string(), refreshJwt: z.string() })
const written = z.object({ cid: z.string() })
const uploaded = z.object({
  blob: z.object({
    $type: z.literal('blob'),
    ref: z.object({ $link: z.string() }),
    mimeType: z.string(),
    size: z.number(),
  }),
})

const servers = [referenceServer(pds), sandboxServer(sandbox, http)]
/** For what changes nothing: making accounts takes long. */
const unchanged = new Map(await Promise.all(servers.map(async (server) => [server, await givenScene(server)] as const)))

for (const [server, untouched] of unchanged) {
  t.test(`every wrong request is refused by ${server.name} as written here`, async (t) => {
    const scene = untouched
    for (const [what, status, error, ask] of WRONG_REQUESTS) {
      const answer = await send(scene.url, ask(scene))
      t.same({ status: answer.status, error: refusal.parse(answer.json()).error }, { status, error }, what)
    }
    const posts = await send(
      scene.url,
      get('com.atproto.repo.listRecords', { repo: scene.me.did, collection: COLLECTION }),
    )
    t.match(posts.json(), { records: [{ value: valid }] }, 'and none of them has left anything')
    t.equal(z.object({ records: z.array(z.unknown()) }).parse(posts.json()).records.length, 1)
  })

  t.test(`what may be repeated is told as such by ${server.name}`, async (t) => {
    const scene = await givenScene(server)
    const again = await send(scene.url, put(scene, { rkey: POST_KEY, record: valid, swapRecord: null }))
    t.match(again.json(), { cid: scene.postCid })
    t.notMatch(again.text(), /"commit"/, 'the same put writes nothing')

    const first = await send(scene.url, refresh(scene.refresh))
    const second = await send(scene.url, refresh(scene.refresh))
    t.same([first.status, second.status], [200, 200], 'a used refresh token does for a while')

    const replaced = await send(scene.url, put(scene, { rkey: POST_KEY, record: { ...valid, text: 'New' } }))
    t.match(replaced.text(), /"commit"/, 'a plain put replaces')
    const remove = { repo: scene.me.did, collection: COLLECTION, rkey: POST_KEY }
    const removed = await send(scene.url, post('com.atproto.repo.deleteRecord', remove, scene.access))
    t.match(removed.text(), /"commit"/)
    const nothing = await send(scene.url, post('com.atproto.repo.deleteRecord', remove, scene.access))
    t.same([nothing.status, nothing.json()], [200, {}], 'deleting what is gone is no error')
  })

  t.test(`bytes are named by their content and typed by it, by ${server.name}`, async (t) => {
    const again = await send(untouched.url, upload(untouched, await imageOf(60_000), { type: 'video/mp4' }))
    t.same(again.json(), { blob: untouched.image })
  })

  t.test(`posts are listed newest key first and page by page, by ${server.name}`, async (t) => {
    const scene = await givenScene(server)
    for (const rkey of ['3kabcabcabc24', FREE_KEY]) await send(scene.url, put(scene, { rkey, record: valid }))
    const list = async (more: object): Promise<unknown> => {
      const query = { repo: scene.me.handle, collection: COLLECTION, limit: '2', ...more }
      const { records, cursor } = page.parse((await send(scene.url, get('com.atproto.repo.listRecords', query))).json())
      return { keys: records.map(({ uri }) => uri.slice(-13)), cursor }
    }
    t.same(await list({}), { keys: ['3kabcabcabc24', FREE_KEY], cursor: FREE_KEY })
    t.same(await list({ cursor: FREE_KEY }), { keys: [POST_KEY], cursor: POST_KEY })
    t.same(await list({ reverse: 'true' }), { keys: [POST_KEY, FREE_KEY], cursor: FREE_KEY })
  })
}

t.test('the same bytes have the same name on both', (t) => {
  const [one, other] = [...unchanged.values()].map(({ image }) => image)
  t.ok(one)
  t.same(one, other)
  t.end()
})

async function givenScene(server: BlueskyServer): Promise<Scene> {
  const { url } = server
  const [me, other] = [await server.createAccount(), await server.createAccount()]
  const open = async () => {
    return tokens.parse((await send(url, login({ identifier: me.did, password: me.appPassword }))).json())
  }
  const { accessJwt: access, refreshJwt } = await open()
  const { refreshJwt: deadRefresh } = await open()
  await send(url, { ...refresh(deadRefresh), nsid: 'com.atproto.server.deleteSession' })

  const uploadedBy = async (body: Uint8Array, type: string) => {
    const asked: Asked = { method: 'POST', nsid: 'com.atproto.repo.uploadBlob', token: access, type, body }
    return uploaded.parse((await send(url, asked)).json()).blob
  }
  const image = await uploadedBy(await imageOf(60_000), 'image/jpeg')
  const bigImage = await uploadedBy(await imageOf(1_000_001), 'image/jpeg')
  const text = await uploadedBy(Buffer.from(`some text ${randomUUID()}`), 'text/plain')
  const first = { repo: me.did, collection: COLLECTION, rkey: POST_KEY, record: valid }
  const { cid } = written.parse((await send(url, post('com.atproto.repo.putRecord', first, access))).json())
  return { url, me, other, access, refresh: refreshJwt, deadRefresh, image, bigImage, text, postCid: cid }
}

function send(url: string, { method, nsid, token, type, body }: Asked) {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(type && { 'content-type': type }) }
  return http.request(`${url}/xrpc/${nsid}`, { method, headers, ...(body !== undefined && { body }) })
}
