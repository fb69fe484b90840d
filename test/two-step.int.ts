import t, { type Test } from 'tap'
import * as z from 'zod'
import { rotateMaster } from '../app/cli/rotate-master.ts'
import { disableTotpOf } from '../app/cli/users.ts'
import type { Core } from '../app/wiring/core.ts'
import { createTotps } from '../infra/postgres/totps.ts'
import { codeOf, keyOf, newTotpSecret } from '../infra/runtime/one-time-code.ts'
import { findUser } from '../projections/models/users.ts'
import { givenApi, type ApiWorld } from './support/api.ts'
import type { Answer } from './support/api-answer.ts'
import { cookieOf, givenUser, PASSWORD, signIn, unsigned, type SignedIn } from './support/dashboard.ts'
import { movableClock } from './support/movable-clock.ts'
import { givenInstallation, processOf } from './support/rotation.ts'
import { ids } from './support/sandbox.ts'
import { until } from './support/service-process.ts'
import { vaultOf } from './support/world.ts'

/* Two-step sign-in: a code from an authenticator app besides the password. */

const API = '/dashboard/api'
/** What the vault has of a workspace, besides the key of its events. */
const KEPT = "select id from service.secrets where workspace_id = $1 and id not like 'events%'"
const STEP_MS = 30_000
const MINUTE_MS = 60_000

async function givenTeam(t: Test) {
  const clock = movableClock()
  const api = await givenApi(t, { clock })
  const ada = await givenUser(api, 'ada')
  const ben = await givenUser(api, 'ben', ada.workspaceId, 'author')
  /** What an app shows, by default for the current step. */
  const codeFor = (secret: string, away = 0) => codeOf(keyOf(secret), Math.floor(clock.now() / STEP_MS) + away)
  const signingIn = (body: object, by: Pick<ApiWorld, 'call'> = api) =>
    by.call(unsigned('/session', { name: 'ada', password: PASSWORD, ...body }))
  const wait = () => clock.advanceTo(clock.now() + 2 * MINUTE_MS)
  return { api, clock, ada, ben, codeFor, signingIn, wait }
}

const post = (page: SignedIn, path: string, body: object) => page.call({ method: 'POST', path: `${API}${path}`, body })

async function turnOn(page: SignedIn, codeFor: (secret: string) => string) {
  const made = await post(page, '/totp/secret', {})
  const { secret, uri } = z.object({ secret: z.string(), uri: z.string() }).parse(made.body)
  const answer = await post(page, '/totp', { password: PASSWORD, secret, code: codeFor(secret) })
  if (answer.status !== 201) throw new Error(answer.text)
  return {
    secret,
    uri,
    recoveryCodes: z.object({ recoveryCodes: z.array(z.string()) }).parse(answer.body).recoveryCodes,
  }
}

const asksForCode = (t: Test, answer: Answer) => {
  t.match(answer, { status: 200, body: { status: 'totp_required' } })
  t.equal(answer.headers['set-cookie'], undefined)
  t.notMatch(answer.text, 'csrfToken')
}
const refused = { status: 401, code: 'invalid_api_key', message: /^Incorrect code/ }
const eventsOf = async (api: ApiWorld, id: string) => (await api.world.log.read(`user-${id}`)).slice(1)

t.test('given a user', async (t) => {
  const { api, ada, codeFor, signingIn, wait } = await givenTeam(t)
  const page = await signIn(api, 'ada')
  const other = await signIn(api, 'ada')

  await t.test('when the password or the code is wrong, then it is not turned on', async (t) => {
    const made = await post(page, '/totp/secret', {})
    const { secret } = z.object({ secret: z.string() }).parse(made.body)
    const code = codeFor(secret)
    const wrong = { status: 400, code: 'invalid_request' }
    t.match(await post(page, '/totp', { password: 'wrong', secret, code }), { ...wrong, message: /^password/ })
    t.match(await post(page, '/totp', { password: PASSWORD, secret, code: codeFor(secret, 3) }), {
      ...wrong,
      message: /^code/,
    })
    t.match(await post(page, '/totp', { password: PASSWORD, secret: 'A'.repeat(31), code }), {
      ...wrong,
      message: /^secret/,
    })
    t.match(await page.call({ path: `${API}/totp` }), { body: { enabled: false, recoveryCodesLeft: null } })
    t.match(await signingIn({}), { status: 200, body: { user: { name: 'ada' } } })
  })

  const { secret, uri, recoveryCodes } = await turnOn(page, codeFor)

  await t.test('when it is on, then her other sessions have ended, and no event has anything of it', async (t) => {
    t.match(uri, `otpauth://totp/Fanfare:ada?secret=${secret}&issuer=Fanfare`)
    t.match(await page.call({ path: `${API}/totp` }), { body: { enabled: true, recoveryCodesLeft: 10 } })
    t.match(await other.call({ path: `${API}/session` }), { status: 401 })
    t.match(await post(page, '/totp', { password: PASSWORD, secret, code: codeFor(secret, 1) }), { status: 409 })
    const events = await eventsOf(api, ada.id)
    t.match(events, [{ type: 'UserTotpEnabled' }])
    const kept = await api.world.db.query('select id, sealed::text, encode(sealed, $1) from service.secrets', [
      'escape',
    ])
    const text = JSON.stringify([events.map(({ data }) => data), kept.rows])
    for (const part of [secret, ...recoveryCodes]) t.notMatch(text, part)
    t.equal(new Set(recoveryCodes).size, 10)
  })

  await t.test('when the password is right, then a code is asked for, which works once', async (t) => {
    asksForCode(t, await signingIn({}))
    t.match(await signingIn({ code: codeFor(secret) }), refused, 'the code that turned it on')
    await wait()
    t.match(await signingIn({ password: 'wrong', code: codeFor(secret) }), { status: 401, message: /name or password/ })
    const code = codeFor(secret)
    const done = await signingIn({ code: ` ${code.slice(0, 3)} ${code.slice(3)}` })
    t.match(done, { status: 200, body: { user: { name: 'ada' } } })
    t.match(await api.call({ path: `${API}/session`, headers: { cookie: cookieOf(done) } }), { status: 200 })
    t.match(await signingIn({ code }), refused)
    t.match(await signingIn({ code: codeFor(secret, -1) }), refused, 'nor does an earlier one')
    t.match(await signingIn({ code: codeFor(secret, 2) }), refused)
    t.match(await signingIn({ code: codeFor(secret, 1) }), { status: 200 }, 'a clock may be a step ahead')
    await wait()
    t.match(await signingIn({ code: codeFor(secret, -1) }), { status: 200 }, 'or behind')
  })

  await t.test('when she uses a recovery code, then it works once, and its use is an event', async (t) => {
    const [first = '', second = ''] = recoveryCodes
    t.match(await signingIn({ code: first.toUpperCase().replaceAll('-', ' ') }), { status: 200 })
    t.match(await signingIn({ code: first }), refused)
    t.match(await signingIn({ code: second }), { status: 200 })
    t.match((await eventsOf(api, ada.id)).slice(1), [
      { type: 'UserRecoveryCodeUsed', data: { left: 9 }, metadata: { actor: { id: ada.id } } },
      { type: 'UserRecoveryCodeUsed', data: { left: 8 } },
    ])
    t.match(await page.call({ path: `${API}/totp` }), { body: { recoveryCodesLeft: 8 } })
    await wait()
  })

  await t.test('when one code is used in several processes at once, then one of them accepts it', async (t) => {
    const servers = [api, await api.server(), await api.server()]
    for (const code of [codeFor(secret), recoveryCodes[2] ?? '']) {
      const answers = await Promise.all(servers.map((server) => signingIn({ code }, server)))
      t.same(answers.map(({ status }) => status).sort(), [200, 401, 401])
    }
    await wait()
  })

  await t.test('when she turns it off, then it takes the password and a code', async (t) => {
    const off = (body: object) => post(page, '/totp/disable', body)
    const code = codeFor(secret)
    t.match(await off({ password: 'wrong', code }), { status: 400, message: /^password/ })
    t.match(await off({ password: PASSWORD, code: '000000' }), { status: 400, message: /^code/ })
    t.match(await off({ password: PASSWORD, code }), { status: 204 })
    t.match(await off({ password: PASSWORD, code }), { status: 204 })
    t.match(await signingIn({}), { status: 200, body: { user: { name: 'ada' } } })
    const { rows } = await api.world.db.query(KEPT, [ada.workspaceId])
    t.same(rows, [], 'nothing is kept of it')
    t.match((await eventsOf(api, ada.id)).at(-1), { type: 'UserTotpDisabled' })
  })
})

t.test('given somebody who knows a password, when they guess codes, then they soon have to wait', async (t) => {
  const { api, codeFor, signingIn, wait } = await givenTeam(t)
  const { secret } = await turnOn(await signIn(api, 'ada'), codeFor)
  await wait()
  const statuses: number[] = []
  for (let guess = 0; guess < 12; guess += 1) statuses.push((await signingIn({ code: '000000' })).status)
  t.ok(statuses.filter((status) => status === 401).length <= 10 && statuses.at(-1) === 429, String(statuses))
  t.match(await signingIn({ code: codeFor(secret) }), { status: 429 }, 'even with the right one')
  await wait()
  t.match(await signingIn({ code: codeFor(secret) }), { status: 200 })
})

t.test('given a colleague with two-step sign-in', async (t) => {
  const { api, ada, ben, codeFor, wait } = await givenTeam(t)
  const owner = await signIn(api, 'ada')
  const asBen = (body: object = {}) => api.call(unsigned('/session', { name: 'ben', password: PASSWORD, ...body }))
  const on = async (password = PASSWORD) => {
    const { secret } = await turnOn(await signIn(api, 'ben', password), codeFor)
    await wait()
    return secret
  }

  await t.test('when the owner turns it off, then the password is enough, and who did it is known', async (t) => {
    await on()
    asksForCode(t, await asBen())
    const listed = await owner.call({ path: `/v1/users` })
    t.match(listed.body, {
      users: [
        { name: 'ada', totp: false },
        { name: 'ben', totp: true },
      ],
    })
    const off = (page: SignedIn, id: string) => page.call({ method: 'DELETE', path: `${API}/users/${id}/totp` })
    t.match(await off(owner, ada.id), { status: 409, message: /^This is you/ })
    await givenUser(api, 'sam')
    t.match(await off(await signIn(api, 'sam'), ben.id), { status: 403, code: 'forbidden' })
    t.match(await off(owner, ben.id), { status: 204 })
    t.match(await asBen(), { status: 200, body: { user: { name: 'ben' } } })
    const last = (await eventsOf(api, ben.id)).at(-1)
    t.match(last, { type: 'UserTotpDisabled', metadata: { actor: { kind: 'user', id: ada.id } } })
    const reader = await signIn(api, 'ben')
    t.match((await reader.call({ path: `/v1/users` })).body, { users: [{ totp: null }, { totp: null }] })
  })

  await t.test('when it is turned off on the command line, then it is, too', async (t) => {
    await on()
    const core = {
      ...api.world,
      ids,
      vault: vaultOf(api.world),
      seen: { waitFor: async () => true },
    } as unknown as Core
    t.match(await disableTotpOf(core, 'ben'), { id: ben.id, disabled: true })
    t.match(await disableTotpOf(core, 'ben'), { disabled: false })
    await t.rejects(disableTotpOf(core, 'nobody'), { code: 'not_found' })
    await until('it to be shown', 60_000, async () =>
      (await findUser(api.world.db, ben.id))?.totpId === null ? true : undefined,
    )
    await wait()
    t.match(await asBen(), { status: 200, body: { user: { name: 'ben' } } })
  })

  await t.test('when a link sets a new password, then it is no way around the code', async (t) => {
    const secret = await on()
    const made = await owner.call({ method: 'POST', path: `${API}/users/${ben.id}/reset-link` })
    const { link } = z.object({ link: z.url() }).parse(made.body)
    const password = 'another password'
    const reset = () => api.call(unsigned('/reset', { token: new URL(link).hash.slice(1), password }))
    asksForCode(t, await reset())
    asksForCode(t, await reset())
    t.match(await asBen(), { status: 401 }, 'the password is changed')
    t.match(await asBen({ password, code: codeFor(secret) }), { status: 200 })
  })

  await t.test(
    'when the link of an invitation is used again by who has joined, then a code is asked for',
    async (t) => {
      const invited = await owner.call({ method: 'POST', path: `/v1/invitations`, body: { role: 'author' } })
      const { link } = z.object({ link: z.url() }).parse(invited.body)
      const body = { token: new URL(link).hash.slice(1), name: 'carl', password: PASSWORD }
      t.match(await api.call(unsigned('/join', body)), { status: 200, body: { user: { name: 'carl' } } })
      await turnOn(await signIn(api, 'carl'), codeFor)
      asksForCode(t, await api.call(unsigned('/join', body)))
    },
  )

  await t.test('when a colleague is removed, then nothing is kept of the app', async (t) => {
    t.match(await owner.call({ method: 'DELETE', path: `/v1/users/${ben.id}` }), { status: 204 })
    const secrets = await api.world.db.query(KEPT, [ada.workspaceId])
    t.equal(secrets.rows.length, 1, 'only that of who has joined')
  })
})

t.test('given an app, when the master key is rotated, then its codes are accepted as before, each once', async (t) => {
  const installation = await givenInstallation(t)
  const { vault, rotation } = await processOf(installation)
  const before = createTotps(vault)
  const secret = newTotpSecret()
  const [recovery = ''] = await before.keep('ws_1', 'totp_1', secret, 0)
  await rotateMaster(rotation)
  const after = createTotps((await processOf(installation)).vault)
  const code = codeOf(keyOf(secret), 5)
  for (const totps of [after, before]) {
    const isFirst = totps === after
    t.same(await totps.use('totp_1', code, 5 * STEP_MS), isFirst ? {} : undefined)
    t.same(await totps.use('totp_1', recovery, 5 * STEP_MS), isFirst ? { recoveryCodesLeft: 9 } : undefined)
  }
})
