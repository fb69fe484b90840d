import t from 'tap'
import * as z from 'zod'
import { browserName } from '../api/dashboard/browser-name.ts'
import { givenApi } from './support/api.ts'
import { cookieOf, givenUser, PASSWORD, signIn, signInCall, type SignedIn } from './support/dashboard.ts'
import { movableClock } from './support/movable-clock.ts'

/* How dashboard users sign in, and where they are signed in. */

const DAY_MS = 86_400_000
const API = '/dashboard/api'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const listSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      browser: z.string().nullable(),
      createdAt: z.string(),
      usedAt: z.string().nullable(),
      expiresAt: z.string(),
      current: z.boolean(),
    }),
  ),
})

async function sessionsOf(page: SignedIn) {
  return listSchema.parse((await page.call({ path: `${API}/sessions` })).body).sessions
}

const isIn = async (page: SignedIn) => (await page.call({ path: `${API}/session` })).status === 200

t.test('given a user who is signed in in several browsers', async (t) => {
  const clock = movableClock()
  const api = await givenApi(t, { clock })
  await givenUser(api, 'ada')
  await givenUser(api, 'sam')
  const began = clock.now()
  const page = await signIn(api, 'ada')
  const inFirefox = await signIn(
    { call: (call) => api.call({ ...call, headers: { ...call.headers, 'user-agent': FIREFOX } }) },
    'ada',
  )
  const sam = await signIn(api, 'sam')

  await t.test('when she lists her sessions, then she sees each, and no one else’s', async (t) => {
    await clock.advanceTo(began + DAY_MS)
    t.ok(await isIn(inFirefox))
    await clock.advanceTo(began + 2 * DAY_MS)
    const listed = await page.call({ path: `${API}/sessions` })
    const day = (at: string | null) => at && Math.round((Date.parse(at) - began) / DAY_MS)
    t.same(
      (await sessionsOf(page)).map(({ id: _, createdAt, usedAt, expiresAt, ...rest }) => ({
        ...{ ...rest, createdAt: day(createdAt), usedAt: day(usedAt), expiresAt: day(expiresAt) },
      })),
      [
        { browser: null, current: true, createdAt: 0, usedAt: 2, expiresAt: 9 },
        { browser: 'Firefox on Linux', current: false, createdAt: 0, usedAt: 1, expiresAt: 8 },
      ],
    )
    const { rows } = await api.world.db.query<{ token_hash: string }>('select token_hash from service.sessions')
    for (const { token_hash: hash } of rows) t.notMatch(listed.text, hash)
    for (const { cookie } of [page, inFirefox]) t.notMatch(listed.text, cookie.split('=')[1] ?? '?')
    t.match(await sessionsOf(sam), [{ current: true }])
  })

  await t.test('when she ends one, then it alone has ended, and nobody else’s can be', async (t) => {
    const [own, other] = await sessionsOf(page)
    const end = (by: SignedIn, id = '') => by.call({ method: 'DELETE', path: `${API}/sessions/${id}` })
    t.match(await end(sam, other?.id), { status: 404, message: 'No such session.' })
    t.ok(await isIn(inFirefox))
    t.match(await end(page, other?.id), { status: 204, headers: { 'set-cookie': undefined } })
    t.notOk(await isIn(inFirefox))
    t.match(await end(page, other?.id), { status: 404 })
    t.match(await end(page, own?.id), { status: 204, headers: { 'set-cookie': /Max-Age=0/ } }, 'even her own')
    t.notOk(await isIn(page))
    t.ok(await isIn(sam))
  })

  await t.test('when she signs out everywhere else, then she stays signed in here alone', async (t) => {
    const [here, there, elsewhere] = [await signIn(api, 'ada'), await signIn(api, 'ada'), await signIn(api, 'ada')]
    t.match(await here.call({ method: 'DELETE', path: `${API}/sessions` }), { status: 204 })
    t.same([await isIn(here), await isIn(there), await isIn(elsewhere), await isIn(sam)], [true, false, false, true])
    t.match(await sessionsOf(here), [{ current: true }])
  })

  await t.test('when a session began in an earlier version, then it is listed, and used as before', async (t) => {
    const old = await signIn(api, 'ada')
    await api.world.db.query('update service.sessions set used_at = null, browser = null')
    t.match((await sessionsOf(old)).at(0), { usedAt: null, browser: null })
    await clock.advanceTo(clock.now() + 6 * DAY_MS)
    t.match(await sessionsOf(old), [{ usedAt: /^\d/, current: true }, { usedAt: null }])
  })

  await t.test('when it is another’s request, then nothing of the list is answered', async (t) => {
    const cookie = cookieOf(await api.call(signInCall('ada', PASSWORD)))
    const forged = { method: 'DELETE', path: `${API}/sessions`, headers: { cookie } } as const
    t.match(await api.call(forged), { status: 403, code: 'forbidden' }, 'without the token of the page')
    t.match(await api.call({ path: `${API}/sessions` }), { status: 401 })
  })
})

t.test('a browser is named as people call it', async (t) => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
  const names: Readonly<Record<string, string | undefined>> = {
    [FIREFOX]: 'Firefox on Linux',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`]: 'Chrome on Windows',
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0.0.0`]: 'Edge on Windows',
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`]: 'Chrome on ChromeOS',
    [`Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`]: 'Chrome on Android',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15':
      'Safari on macOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1':
      'Chrome on iPhone',
    'curl/8.9.1': undefined,
    '': undefined,
    [`Windows ${'x'.repeat(10_000)}`]: 'Windows',
  }
  for (const [userAgent, name] of Object.entries(names)) t.equal(browserName(userAgent), name, userAgent.slice(0, 100))
})
