import { randomUUID } from 'node:crypto'
import t from 'tap'
import * as z from 'zod'
import { COLLECTION } from '../platforms/bluesky/record.ts'
import { imageOf, referenceServer, sandboxServer, type BlueskyServer } from './support/bluesky.ts'
import {
  FREE_KEY,
  get,
  login,
  post,
  POST_KEY,
  put,
  refresh,
  upload,
  UPLOAD_LIMIT,
  valid,
  WRONG_REQUESTS,
  type Asked,
  type Scene,
} from './support/bluesky-wrong-requests.ts'
import { startPds } from './support/pds.ts'
import { givenHttp, givenSandbox } from './support/sandbox.ts'

const http = givenHttp(t)
const pds = await startPds({ blobUploadLimit: UPLOAD_LIMIT })
t.teardown(() => pds.close())
const sandbox = await givenSandbox(t)

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

  t.test(`${server.name} marks what may be repeated`, async (t) => {
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
