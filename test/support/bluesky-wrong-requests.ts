import { COLLECTION } from '../../platforms/bluesky/record.ts'
import type { ServerAccount } from './bluesky.ts'

/** As Bluesky's own servers have it, and the sandbox. */
export const UPLOAD_LIMIT = 52_428_800

interface Blob {
  readonly $type: 'blob'
  readonly ref: { readonly $link: string }
  readonly mimeType: string
  readonly size: number
}

/** One account with a post, an image and a text uploaded, and what else the requests below need. */
export interface Scene {
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

export interface Asked {
  readonly method: 'GET' | 'POST'
  readonly nsid: string
  readonly token?: string
  readonly type?: string
  readonly body?: string | Uint8Array
}

const JSON_TYPE = 'application/json'
const ABSENT_DID = 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa'
const ABSENT_CID = 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'
export const POST_KEY = '3kabcabcabc22'
export const FREE_KEY = '3kabcabcabc23'
const FACET = 'app.bsky.richtext.facet'
export const valid = { $type: COLLECTION, text: 'A post', createdAt: '2026-11-21T10:00:00.000Z' }

export const post = (nsid: string, body: object, token?: string): Asked => ({
  method: 'POST',
  nsid,
  type: JSON_TYPE,
  body: JSON.stringify(body),
  ...(token !== undefined && { token }),
})
export const put = (scene: Scene, body: object): Asked =>
  post(
    'com.atproto.repo.putRecord',
    { repo: scene.me.did, collection: COLLECTION, rkey: FREE_KEY, ...body },
    scene.access,
  )
const record = (scene: Scene, more: object): Asked => put(scene, { record: { ...valid, ...more } })
const labels = (values: readonly object[]) => ({ $type: 'com.atproto.label.defs#selfLabels', values })
const embed = (scene: Scene, image: object, more: object = {}): Asked =>
  record(scene, { embed: { $type: 'app.bsky.embed.images', images: [{ alt: '', image, ...more }] } })
const facet = (scene: Scene, feature: object, index: object = { byteStart: 0, byteEnd: 1 }): Asked =>
  record(scene, { facets: [{ index, features: [feature] }] })
export const upload = (scene: Scene, body: Uint8Array, more: Partial<Asked> = {}): Asked => ({
  method: 'POST',
  nsid: 'com.atproto.repo.uploadBlob',
  token: scene.access,
  type: 'image/png',
  body,
  ...more,
})
export const login = (body: object): Asked => post('com.atproto.server.createSession', body)
export const get = (nsid: string, query: Record<string, string>, token?: string): Asked => ({
  method: 'GET',
  nsid: `${nsid}?${new URLSearchParams(query)}`,
  ...(token !== undefined && { token }),
})
export const refresh = (token?: string): Asked => ({
  method: 'POST',
  nsid: 'com.atproto.server.refreshSession',
  ...(token !== undefined && { token }),
})
const session = (token?: string): Asked => get('com.atproto.server.getSession', {}, token)

/** `error` is the name that the refusal has in its body. */
type Case = readonly [what: string, status: number, error: string, ask: (scene: Scene) => Asked]

/** What is wrong, and what the reference server says to it: the sandbox must say the same. */
export const WRONG_REQUESTS: readonly Case[] = [
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
  ['eleven labels', 400, 'InvalidRequest', (s) => record(s, { labels: labels(Array(11).fill({ val: 'nudity' })) })],
  ['a label without a value', 400, 'InvalidRequest', (s) => record(s, { labels: labels([{}]) })],
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
