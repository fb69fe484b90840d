import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { removals as ofMeta } from '../platforms/meta/signed-request.ts'
import { removals as ofTikTok } from '../platforms/tiktok/removals.ts'

/* The calls with which platforms report that a person has removed the app. */

const META = { clientId: '1', clientSecret: 'appsecret' }
/** Computed with `openssl dgst -sha256 -hmac appsecret -binary | basenc --base64url`. */
const SIGNED =
  'N32LNcvDGXq0GI1jxm-tj1ysJh2uqkNIBcUhUmTp19k.eyJhbGdvcml0aG0iOiJITUFDLVNIQTI1NiIsImV4cGlyZXMiOjEyOTE4NDA0MDAsImlzc3VlZF9hdCI6MTI5MTgzNjgwMCwidXNlcl9pZCI6IjIxODQ3MSJ9'
/** The example that Meta's documentation of canvas apps had, signed with `secret`; go.signedrequest and MiniFB test with it. */
const OF_THE_DOCUMENTATION =
  'vlXgu64BQGFSQrY0ZcJBZASMvYvTHu9GQ0YM9rjPSso.eyJhbGdvcml0aG0iOiJITUFDLVNIQTI1NiIsIjAiOiJwYXlsb2FkIn0'

const form = (fields: Readonly<Record<string, string>>) => ({
  headers: {},
  body: Buffer.from(new URLSearchParams(fields).toString()),
})
const read = (signed: string, app = META) => ofMeta.read(form({ signed_request: signed }), app)
const signed = (payload: string | Buffer, secret = META.clientSecret) => {
  const encoded = Buffer.from(payload).toString('base64url')
  return `${createHmac('sha256', secret).update(encoded).digest('base64url')}.${encoded}`
}
const refused = (message: RegExp) => ({ name: 'Refusal', code: 'invalid_request', message })
const NOT_SIGNED = refused(/is not signed with the secret of this app/)
const UNREADABLE = refused(/has no user_id, or cannot be read/)
const NO_FORM = refused(/must be one form field/)

t.test("given one of Meta's signed requests, when it is read, then it names the person", async (t) => {
  const person = { ownerId: '218471', at: 1_291_836_800_000 }
  t.same(read(SIGNED), person)
  const [signature = '', payload = ''] = SIGNED.split('.')
  t.same(read(`${signature}=.${payload}`), person, 'with padding')
  t.same(read(signed('{"user_id":218471}')), { ownerId: '218471', at: undefined }, 'with a number, and nothing else')
  t.match(read(signed('{"user_id":"1","algorithm":"hmac-sha256"}')), { ownerId: '1' })
})

t.test('given a signed request that is not right, when it is read, then it is refused', async (t) => {
  const [signature = '', payload = ''] = SIGNED.split('.')
  t.throws(() => read(OF_THE_DOCUMENTATION, { ...META, clientSecret: 'secret' }), UNREADABLE, 'without a user')
  t.throws(() => read(OF_THE_DOCUMENTATION), NOT_SIGNED)
  t.throws(() => read(SIGNED, { ...META, clientSecret: 'other' }), NOT_SIGNED)
  t.throws(() => read(`${signature.slice(0, -2)}.${payload}`), NOT_SIGNED, 'a shorter signature')
  t.throws(() => read(`${signature}${signature}.${payload}`), NOT_SIGNED, 'a longer one')
  const hex = Buffer.from(signature, 'base64url').toString('hex')
  t.throws(() => read(`${hex}.${payload}`), NOT_SIGNED, 'in hexadecimal')
  for (const wrong of [
    '',
    '.',
    `.${payload}`,
    `${signature}.`,
    signature,
    `${SIGNED}.x`,
    ` ${SIGNED}`,
    `${SIGNED}\n`,
  ]) {
    t.throws(() => read(wrong), NO_FORM, JSON.stringify(wrong))
  }
  t.throws(() => ofMeta.read({ headers: {}, body: Buffer.alloc(0) }, META), NO_FORM)
  t.throws(() => ofMeta.read(form({ other: SIGNED }), META), NO_FORM)
  t.throws(
    () => ofMeta.read({ headers: {}, body: Buffer.from(JSON.stringify({ signed_request: SIGNED })) }, META),
    NO_FORM,
  )
  t.throws(
    () => ofMeta.read({ headers: {}, body: Buffer.from(`signed_request=${SIGNED}&signed_request=${SIGNED}`) }, META),
    NO_FORM,
    'two of them',
  )
  for (const content of [
    '',
    'null',
    '[]',
    '{',
    '{"user_id":""}',
    '{"user_id":-1}',
    '{"user_id":1.5}',
    '{"user_id":"a b"}',
  ]) {
    if (content !== '') t.throws(() => read(signed(content)), UNREADABLE, content)
  }
  t.throws(() => read(signed('{"user_id":"1","algorithm":"none"}')), UNREADABLE, 'of another algorithm')
  t.throws(() => read(signed(Buffer.from([0xff, 0xfe]))), UNREADABLE)
})

t.test('given any person and secret, when one character is changed, then the signed request is refused', async () => {
  const secret = fc.string({ minLength: 1, unit: 'binary' })
  fc.assert(
    fc.property(secret, fc.stringMatching(/^\d{1,20}$/), fc.nat(), (clientSecret, ownerId, place) => {
      const right = signed(JSON.stringify({ user_id: ownerId }), clientSecret)
      if (read(right, { clientId: '1', clientSecret })?.ownerId !== ownerId) return false
      const at = place % right.length
      // The last character of the signature has two bits that mean nothing.
      if (right[at] === '.' || right[at + 1] === '.') return true
      const other = right[at] === 'A' ? 'B' : 'A'
      try {
        read(right.slice(0, at) + other + right.slice(at + 1), { clientId: '1', clientSecret })
        return false
      } catch {
        return true
      }
    }),
  )
})

const TIKTOK = { clientId: 'bwo2m45353a6k85', clientSecret: 'appsecret' }
/** The example of TikTok's documentation, signed with `openssl dgst -sha256 -hmac appsecret`. */
const EVENT =
  '{"client_key":"bwo2m45353a6k85","event":"authorization.removed","create_time":1615338610,"user_openid":"act.example12345Example12345Example","content":"{\\"reason\\": 1 }"}'
const EVENT_SIGNATURE = '373bba6fc9e8750f4ee8957006db7ce2ee99aabeb9476e124dd5cac4268dc345'

const webhook = (body: string, header?: string) => ({
  headers: header === undefined ? {} : { 'tiktok-signature': header },
  body: Buffer.from(body),
})
const headerOf = (body: string, { time = '1633174587', secret = TIKTOK.clientSecret } = {}) =>
  `t=${time},s=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
const send = (body: string, header?: string) => ofTikTok.read(webhook(body, header), TIKTOK)

t.test("given one of TikTok's events, when it is read, then it names the person who removed the app", async (t) => {
  const person = { ownerId: 'act.example12345Example12345Example', at: 1_615_338_610_000 }
  t.same(send(EVENT, `t=1633174587,s=${EVENT_SIGNATURE}`), person)
  t.same(send(EVENT, headerOf(EVENT)), person)
  t.same(send(EVENT, `t=1633174587, s=${EVENT_SIGNATURE.toUpperCase()}`), person)
  const other = EVENT.replace('authorization.removed', 'video.publish.completed')
  t.equal(send(other, headerOf(other)), undefined, 'other events are not about that')
})

t.test("given an event of TikTok's that is not right, when it is read, then it is refused", async (t) => {
  const header = headerOf(EVENT)
  for (const wrong of [undefined, '', 't=1633174587', header.replace('t=', 't=1'), header.slice(0, -1), `${header}0`]) {
    t.throws(() => send(EVENT, wrong), NOT_SIGNED, String(wrong))
  }
  t.throws(() => send(EVENT, headerOf(EVENT, { time: '' })), NOT_SIGNED)
  t.throws(() => send(EVENT, headerOf(EVENT, { secret: 'other' })), NOT_SIGNED)
  t.throws(() => send(`${EVENT} `, header), NOT_SIGNED, 'the body as it was sent')
  for (const content of [
    '',
    '{',
    'null',
    '{}',
    EVENT.replace(TIKTOK.clientId, 'another'),
    EVENT.replace('1615338610', '"x"'),
  ]) {
    t.throws(() => send(content, headerOf(content)), refused(/is not an event of this app/), content)
  }
})
