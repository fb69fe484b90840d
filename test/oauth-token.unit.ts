import t from 'tap'
import { withToken, type TokenRenewal } from '../platforms/kit/oauth-token.ts'
import { PlatformError, type PlatformIo } from '../platforms/kit/platform.ts'
import { isoTime, systemClock } from '../infra/runtime/clock.ts'
import { givenHttp, ioOf, memoryCredentials } from './support/sandbox.ts'

const refused = new PlatformError('needs-reauth', 'The token is not accepted any more.')
const expired = new PlatformError('retryable', 'The token has ended.')

/** An account whose token ends in so many milliseconds. */
function given(t: Parameters<typeof givenHttp>[0], leftMs: number): PlatformIo {
  const expiresAt = isoTime(systemClock.now() + leftMs)
  return ioOf(givenHttp(t), memoryCredentials({ accessToken: 'old', refreshToken: 'r1', expiresAt }))
}

const renewing: TokenRenewal = {
  aheadMs: 60_000,
  refresh: async (stale) => ({ ...stale, accessToken: 'new', expiresAt: isoTime(systemClock.now() + 3_600_000) }),
  isExpired: (error) => error === expired,
}
const failing: TokenRenewal = { ...renewing, refresh: () => Promise.reject(refused) }
const tokenUsed = async (token: string) => token

t.test('given a token with time left, then it is used as it is', async (t) => {
  t.equal(await withToken(given(t, 600_000), failing, tokenUsed), 'old')
})

t.test('given a token that is about to end, then it is renewed, once for all who ask', async (t) => {
  const io = given(t, 30_000)
  let renewals = 0
  const counted: TokenRenewal = { ...renewing, refresh: (...of) => ((renewals += 1), renewing.refresh(...of)) }
  const used = await Promise.all([1, 2, 3].map(() => withToken(io, counted, tokenUsed)))
  t.same([used, renewals], [['new', 'new', 'new'], 1])
  t.match(await io.credentials.read(), { accessToken: 'new' }, 'and is stored')
})

t.test('given a renewal ahead that fails, then the old token is used until its end, and not after', async (t) => {
  t.equal(await withToken(given(t, 30_000), failing, tokenUsed), 'old')
  await t.rejects(withToken(given(t, -1), failing, tokenUsed), refused)
})

t.test('given a platform that says the token has ended, then it is renewed and the call repeated, once', async (t) => {
  const used: string[] = []
  const work = async (token: string) => {
    used.push(token)
    if (token === 'old') throw expired
    return token
  }
  t.equal(await withToken(given(t, 600_000), renewing, work), 'new')
  const never = () => Promise.reject(expired)
  await t.rejects(withToken(given(t, 600_000), renewing, never), expired)
  t.same(used, ['old', 'new'])
})
