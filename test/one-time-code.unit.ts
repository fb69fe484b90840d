import t from 'tap'
import { codeOf, keyOf, newTotpSecret, stepOf, TOTP_SECRET, totpUri } from '../infra/runtime/one-time-code.ts'

/* The codes of authenticator apps, by the values that the standards give. */

/** Of RFC 4226 and RFC 6238. */
const KEY = Buffer.from('12345678901234567890')
/** The same in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

t.test('RFC 4226, appendix D', async (t) => {
  const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']
  for (const [step, code] of codes.entries()) t.equal(codeOf(KEY, step), code)
})

t.test('RFC 6238, appendix B, with SHA-1', async (t) => {
  const codes: readonly (readonly [number, string])[] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ]
  for (const [seconds, code] of codes) {
    const step = Math.floor(seconds / 30)
    t.equal(codeOf(KEY, step, 8), code)
    t.equal(stepOf(SECRET, code.slice(2), seconds * 1_000), step)
  }
})

t.test('a secret is base32', async (t) => {
  t.same(keyOf(SECRET), KEY)
  // RFC 4648, section 10.
  t.equal(keyOf('MZXW6YTBOI').toString(), 'foobar')
  const secrets = Array.from({ length: 20 }, newTotpSecret)
  for (const secret of secrets) {
    t.match(secret, TOTP_SECRET)
    t.equal(keyOf(secret).length, 20)
  }
  t.equal(new Set(secrets).size, secrets.length)
  t.equal(
    totpUri(SECRET, 'Fanfare', 'ada@example.com'),
    `otpauth://totp/Fanfare:ada%40example.com?secret=${SECRET}&issuer=Fanfare`,
  )
})

t.test('a code is right one step early or late, and after another only if it is later', async (t) => {
  const now = 1_000 * 30_000 + 15_000
  const accepted = (step: number, after?: number) => stepOf(SECRET, codeOf(KEY, step), now, after)
  t.same(
    [998, 999, 1_000, 1_001, 1_002].map((step) => accepted(step)),
    [undefined, 999, 1_000, 1_001, undefined],
  )
  t.same(
    [999, 1_000, 1_001].map((step) => accepted(step, 1_000)),
    [undefined, undefined, 1_001],
  )
  for (const wrong of ['', '12345', '1234567', 'abcdef', '１２３４５６', codeOf(KEY, 1_000).slice(1)]) {
    t.equal(stepOf(SECRET, wrong, now), undefined, wrong)
  }
})
