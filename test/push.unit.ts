import fc from 'fast-check'
import t from 'tap'
import { addOwnChannelBody } from '../api/v1/notifications/channel-schemas.ts'
import { vapidKeys, vapidSubject } from '../infra/runtime/vapid.ts'
import { push } from '../reactors/notifications/channels/push.ts'
import type { Message } from '../reactors/notifications/message.ts'
import { decrypted, keysOf, newBrowser, vapidIn } from './support/push-service.ts'

/* What a browser is sent. */

const SECRET = Buffer.alloc(32, 1)
const vapid = { ...vapidKeys(SECRET), subject: 'https://fan.test' }
const browser = newBrowser()
const endpoint = 'https://push.test:8443/send/abc?token=1'
const secret = { endpoint, ...keysOf(browser) }
const message: Message = {
  ...{
    id: 'ntf_1',
    title: 'A post failed (Bakery)',
    about: 'post.failed',
    footer: '',
    url: 'https://fan.test/settings/notifications',
  },
  lines: [{ text: 'A post failed: “Brød” is too long.', url: 'https://fan.test/posts/post_1?a=b#c' }],
}
const bodyOf = (given: Message) => Buffer.from(push(secret, given, vapid).body as Uint8Array)

t.test('given the example of RFC 8291, section 5, then the tests read it as it says', async (t) => {
  const theirs = {
    privateKey: Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url'),
    publicKey: Buffer.from(
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      'base64url',
    ),
    auth: Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url'),
  }
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
    'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
  t.equal(decrypted(theirs, Buffer.from(body, 'base64url')), 'When I grow up, I want to be a watermelon')
})

t.test('given a message, then only the browser can read it, and the push service knows whose it is', async (t) => {
  const { url, headers = {} } = push(secret, message, vapid)
  t.equal(url, endpoint)
  t.match(headers, { ttl: '259200', urgency: 'normal', 'content-encoding': 'aes128gcm', topic: /^[\w-]{32}$/ })
  t.same(JSON.parse(decrypted(browser, bodyOf(message))), {
    ...{ title: 'A post failed (Bakery)', text: 'A post failed: “Brød” is too long.' },
    ...{ link: '/posts/post_1?a=b#c', tag: 'post.failed' },
  })
  t.throws(() => decrypted(newBrowser(), bodyOf(message)))
  const { claims, key } = vapidIn(headers['authorization'])
  t.equal(key, vapid.publicKey)
  t.match(claims, { aud: 'https://push.test:8443', sub: 'https://fan.test' })
  const lasts = Number(claims['exp']) - Date.now() / 1_000
  t.ok(lasts > 3_600 && lasts < 86_400)
})

t.test('given two messages on a topic, then the push service and the browser replace one by the other', async (t) => {
  const topicOf = (about: string) => push(secret, { ...message, about }, vapid).headers?.['topic']
  t.equal(topicOf('post.failed'), topicOf('post.failed'))
  t.not(topicOf('post.failed'), topicOf('feed.failing'))
})

t.test('given any texts, then a message fits into what push services take', async (t) => {
  const any = fc.string({ unit: 'binary', maxLength: 700 })
  fc.assert(
    fc.property(any, fc.array(any, { minLength: 1, maxLength: 20 }), fc.webPath(), (title, texts, path) => {
      const lines = texts.map((text) => ({ text, url: `https://fan.test${path}` }))
      const body = bodyOf({ ...message, title, lines })
      JSON.parse(decrypted(browser, body))
      return body.length <= 4_096
    }),
    { numRuns: 50 },
  )
  const worst = '\u0001'.repeat(2_000)
  const lines = [{ text: worst, url: `https://fan.test/${'a'.repeat(999)}` }]
  t.ok(bodyOf({ ...message, title: worst, lines }).length <= 4_096)
  t.match(
    JSON.parse(
      decrypted(browser, bodyOf({ ...message, lines: [{ text: '', url: `https://fan.test/${'a'.repeat(1_000)}` }] })),
    ),
    {
      link: '/',
    },
  )
})

t.test('given a secret of an installation, then all its processes have one key pair', async (t) => {
  t.same(vapidKeys(Buffer.alloc(32, 1)), vapidKeys(SECRET))
  t.not(vapidKeys(Buffer.alloc(32, 2)).publicKey, vapid.publicKey)
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const { publicKey, privateKey } = vapidKeys(Buffer.from(bytes))
      return Buffer.from(publicKey, 'base64url').length === 65 && Buffer.from(privateKey, 'base64url').length === 32
    }),
  )
  t.pass()
})

t.test('given the settings, then push services are told whom to ask', async (t) => {
  const MAIL_FROM = 'Fanfare <fanfare@example.com>'
  t.equal(vapidSubject({ PUBLIC_URL: 'https://fan.test', MAIL_FROM }), 'https://fan.test')
  t.equal(vapidSubject({ PUBLIC_URL: 'http://fan.test', MAIL_FROM }), 'mailto:fanfare@example.com')
  t.equal(vapidSubject({ MAIL_FROM: 'fan@example.com' }), 'mailto:fan@example.com')
})

t.test('given a subscription that no browser makes, then the error names the field', async (t) => {
  const { p256dh, auth } = keysOf(browser)
  const offCurve = Buffer.from(browser.publicKey)
  offCurve[64] = (offCurve[64] ?? 0) ^ 1
  const problemOf = (given: object) => {
    const { error } = addOwnChannelBody.safeParse({ kind: 'push', subscription: given })
    return error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join()
  }
  t.equal(problemOf({ endpoint, keys: { p256dh, auth }, expirationTime: null }), undefined)
  for (const wrong of ['http://push.test/a', 'push.test', 'ftp://push.test']) {
    t.match(
      problemOf({ endpoint: wrong, keys: { p256dh, auth } }),
      /^subscription\.endpoint must be a URL that begins with https/,
    )
  }
  const compressed = Buffer.from(browser.publicKey.subarray(0, 33))
  compressed[0] = 2
  for (const wrong of ['', 'A', `${p256dh}=`, compressed.toString('base64url'), offCurve.toString('base64url')]) {
    t.match(
      problemOf({ endpoint, keys: { p256dh: wrong, auth } }),
      /^subscription\.keys\.p256dh must be an uncompressed point/,
    )
  }
  for (const wrong of ['', 'abc', `${auth}AA`, '!'.repeat(22)]) {
    t.match(problemOf({ endpoint, keys: { p256dh, auth: wrong } }), /^subscription\.keys\.auth must be 16 bytes/)
  }
})
