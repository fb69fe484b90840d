import t, { type Test } from 'tap'
import * as z from 'zod'
import { resetPassword as resetByCommandLine } from '../app/cli/users.ts'
import type { Core } from '../app/wiring/core.ts'
import { createUser } from '../commands/user.ts'
import { handle } from '../commands/handle.ts'
import { user } from '../domain/workspace/user.ts'
import { createPasswords } from '../infra/postgres/passwords.ts'
import { CHEAP, givenApi } from './support/api.ts'
import {
  cookieOf,
  dyingServer,
  givenUser,
  PASSWORD,
  signIn,
  signInCall,
  unsigned,
  type SignedIn,
} from './support/dashboard.ts'
import { movableClock } from './support/movable-clock.ts'
import { ids } from './support/sandbox.ts'
import { causedBy } from './support/world.ts'

/* How a user whose password is forgotten gets another one, by a link that a colleague makes. */

const API = '/dashboard/api'
const DAY_MS = 86_400_000
const NEXT = 'another password'
const linkSchema = z.object({ link: z.url(), expiresAt: z.string() })

const linkCall = (id: string, method: 'POST' | 'DELETE' = 'POST') =>
  ({ method, path: `${API}/users/${id}/reset-link` }) as const

async function makeLink(page: SignedIn, id: string) {
  const answer = await page.call(linkCall(id))
  if (answer.status !== 201) throw new Error(answer.text)
  const { link, expiresAt } = linkSchema.parse(answer.body)
  return { link, expiresAt, token: new URL(link).hash.slice(1) }
}

const lookCall = (token: string) => unsigned('/reset-link', { token })
const resetCall = (token: string, password = NEXT) => unsigned('/reset', { token, password })
const usedUp = { status: 409, code: 'failed_precondition', message: /has been used/ }

async function givenTeam(t: Test) {
  const clock = movableClock()
  const api = await givenApi(t, { clock })
  const olga = await givenUser(api, 'olga')
  const max = await givenUser(api, 'max', olga.workspaceId, 'manager')
  const anna = await givenUser(api, 'anna', olga.workspaceId, 'author')
  const pages = { olga: await signIn(api, 'olga'), max: await signIn(api, 'max') }
  const untilOf = async (page: SignedIn, id: string) => {
    const { users } = z
      .object({ users: z.array(z.object({ id: z.string(), resetLinkUntil: z.string().nullable() })) })
      .parse((await page.call({ path: `/v1/users` })).body)
    return users.find((one) => one.id === id)?.resetLinkUntil
  }
  const isIn = async (name: string, password: string) =>
    (await api.call({ ...unsigned('', {}), ...signInCall(name, password) })).status === 200
  const setRole = (page: SignedIn, id: string, role: string) =>
    page.call({ method: 'PATCH', path: `/v1/users/${id}`, body: { role } })
  return { api, clock, olga, max, anna, pages, untilOf, isIn, setRole }
}

t.test('given a manager, and an author who has forgotten her password', async (t) => {
  const { api, anna, olga, max, pages, untilOf, isIn } = await givenTeam(t)
  const session = await signIn(api, 'anna')

  await t.test('when she follows the link, then her new password is the only one, and signs her in', async (t) => {
    const { link, token, expiresAt } = await makeLink(pages.max, anna.id)
    t.match(link, /\/reset#fnr_/)
    t.equal(await untilOf(pages.olga, anna.id), expiresAt)
    t.equal(await untilOf(session, anna.id), null, 'a colleague who cannot revoke it does not see it')
    t.match(await api.call(lookCall(token)), { status: 200, body: { user: { name: 'anna' }, expiresAt } })
    t.match(await api.call(resetCall(token, 'short')), { status: 400, message: /^password/ })
    t.match(await session.call({ path: `${API}/session` }), { status: 200 })
    t.ok(await isIn('anna', PASSWORD), 'the link alone changes nothing')

    const done = await api.call(resetCall(token))
    t.match(done, {
      status: 200,
      body: { user: { name: 'anna', role: 'author' }, workspace: { id: olga.workspaceId } },
    })
    t.match(await api.call({ path: `${API}/session`, headers: { cookie: cookieOf(done) } }), { status: 200 })
    t.match(await session.call({ path: `${API}/session` }), { status: 401 }, 'her other sessions have ended')
    t.same([await isIn('anna', PASSWORD), await isIn('anna', NEXT)], [false, true])
    t.equal(await untilOf(pages.olga, anna.id), null)
    const { rows } = await api.world.db.query('select id from service.passwords')
    t.equal(rows.length, 3, 'nothing is left of the password before')

    t.match(await api.call(lookCall(token)), usedUp)
    t.match(await api.call(resetCall(token, 'a third password')), usedUp)
    t.notOk(await isIn('anna', 'a third password'))
    t.match(await api.call(resetCall(token)), { status: 200 }, 'the same request again is answered again')

    const events = (await api.world.log.read(`user-${anna.id}`)).map(({ type, data, metadata }) => ({
      ...{ type, actor: metadata.actor.id, linkId: (data as { readonly linkId?: string }).linkId },
    }))
    const linkId = events[1]?.linkId ?? '?'
    t.match(events.slice(1), [
      { type: 'UserResetLinkCreated', actor: max.id, linkId },
      { type: 'UserPasswordChanged', actor: anna.id, linkId },
    ])
    t.equal(events.length, 3)
  })

  await t.test('when somebody may not manage a user, then they make no link for them', async (t) => {
    await givenUser(api, 'sam')
    const sam = await signIn(api, 'sam')
    for (const id of [olga.id, max.id]) t.match(await pages.max.call(linkCall(id)), { status: 403 })
    t.match(await sam.call(linkCall(anna.id)), { status: 403, code: 'forbidden' })
    t.match(await sam.call(linkCall(anna.id, 'DELETE')), { status: 403, code: 'forbidden' })
    t.match(await pages.olga.call(linkCall(olga.id)), { status: 409, message: /^This is you/ })
    t.match(await pages.olga.call(linkCall('user_none')), { status: 404 })
    t.match(await pages.olga.call(linkCall(max.id)), { status: 201 })
  })
})

t.test('given a link', async (t) => {
  const { api, clock, anna, max, olga, pages, isIn, setRole } = await givenTeam(t)
  const refuses = async (t: Test, token: string, refusal: object) => {
    t.match(await api.call(lookCall(token)), refusal)
    t.match(await api.call(resetCall(token, 'of an intruder')), refusal)
    t.notOk(await isIn('anna', 'of an intruder'))
  }
  const gone = { status: 404, message: /^No such link/ }

  await t.test('when it is incomplete, or of another kind, then it is none', async (t) => {
    const { token } = await makeLink(pages.max, anna.id)
    const [mark, , , sum] = token.split('_')
    const { token: other } = await makeLink(pages.olga, max.id)
    for (const wrong of ['-', token.slice(0, -1), token.replace('fnr_', 'fni_')]) await refuses(t, wrong, gone)
    await refuses(t, `${mark}_${anna.id.slice(5)}_${other.split('_')[2]}_${sum}`, gone)
    await refuses(t, await api.key({ workspaceId: olga.workspaceId }), gone)
  })

  await t.test('when another is made, or it is revoked or expires, then it no longer works', async (t) => {
    const first = await makeLink(pages.max, anna.id)
    const second = await makeLink(pages.olga, anna.id)
    await refuses(t, first.token, gone)
    t.match(await pages.max.call(linkCall(anna.id, 'DELETE')), { status: 204 })
    t.match(await pages.max.call(linkCall(anna.id, 'DELETE')), { status: 204 })
    await refuses(t, second.token, { status: 409, message: /was revoked/ })
    const { token, expiresAt } = await makeLink(pages.max, anna.id)
    t.equal(Math.round((Date.parse(expiresAt) - clock.now()) / DAY_MS), 1)
    await clock.advanceTo(Date.parse(expiresAt))
    await refuses(t, token, { status: 409, message: /has expired/ })
  })

  await t.test('when the password is changed in another way, then it no longer works', async (t) => {
    const { token } = await makeLink(pages.max, anna.id)
    const page = await signIn(api, 'anna')
    const change = { method: 'POST', path: `${API}/password`, body: { current: PASSWORD, next: NEXT } } as const
    t.match(await page.call(change), { status: 204 })
    await refuses(t, token, { status: 409, message: /has been changed since/ })
    const again = await makeLink(pages.max, anna.id)
    const passwords = createPasswords(api.world.db, CHEAP)
    const core = { ...api.world, ids, passwords, seen: { waitFor: async () => true } } as unknown as Core
    await resetByCommandLine(core, 'anna', PASSWORD)
    await refuses(t, again.token, { status: 409, message: /has been changed since/ })
  })

  await t.test('when its maker may no longer manage the user, then it no longer works', async (t) => {
    const refusal = { status: 409, message: /can no longer do that/ }
    const { token } = await makeLink(pages.max, anna.id)
    t.match(await setRole(pages.olga, anna.id, 'manager'), { status: 200 })
    await refuses(t, token, refusal)
    t.match(await setRole(pages.olga, anna.id, 'author'), { status: 200 })
    t.match(await setRole(pages.olga, max.id, 'author'), { status: 200 })
    await refuses(t, token, refusal)
    t.match(await setRole(pages.olga, max.id, 'manager'), { status: 200 })
    t.match(await api.call(lookCall(token)), { status: 200 })
    t.match(await pages.olga.call({ method: 'DELETE', path: `/v1/users/${max.id}` }), { status: 204 })
    await refuses(t, token, refusal)
  })

  await t.test('when the user is removed, then it works no longer, not even for a user of the same name', async (t) => {
    const { token } = await makeLink(pages.olga, anna.id)
    t.match(await pages.olga.call({ method: 'DELETE', path: `/v1/users/${anna.id}` }), { status: 204 })
    await refuses(t, token, gone)
    t.match(await pages.olga.call(linkCall(anna.id)), { status: 404 })
    const again = { workspaceId: olga.workspaceId, name: 'anna', passwordId: ids.token(), role: 'author' } as const
    await handle(api.world, user, anna.id, causedBy('again'), (state) => createUser(state, again))
    await refuses(t, token, gone)
  })
})

t.test('given one link and several processes at once, then one password is set', async (t) => {
  const { api, anna, pages, isIn } = await givenTeam(t)
  const servers = [api, await api.server(), await api.server()]
  for (let round = 0; round < 3; round += 1) {
    const { token } = await makeLink(pages.max, anna.id)
    const passwords = servers.map((_, nth) => `password ${round}.${nth}`)
    const answers = await Promise.all(servers.map((server, nth) => server.call(resetCall(token, passwords[nth]))))
    t.same(answers.map(({ status }) => status).sort(), [200, 409, 409])
    for (const [nth, { status }] of answers.entries()) {
      t.equal(await isIn('anna', passwords[nth] ?? ''), status === 200, `${round}.${nth}`)
    }
  }
})

t.test('given a process that dies while a link is used, then it is neither lost nor used twice', async (t) => {
  const { api, anna, pages, isIn } = await givenTeam(t)
  for (const isLost of [false, true]) {
    const { token } = await makeLink(pages.max, anna.id)
    const mine = `mine ${isLost ? 'after' : 'before'}`
    const server = await dyingServer(api, 1, isLost)
    t.match(await server.call(resetCall(token, mine)), { status: 500 })
    const other = await api.call(resetCall(token, 'of somebody else'))
    if (isLost) {
      t.match(other, usedUp)
      t.match(await api.call(resetCall(token, mine)), { status: 200 }, 'the same person goes on')
      t.ok(await isIn('anna', mine))
    } else {
      t.match(other, { status: 200 }, 'nothing had happened yet')
      t.match(await api.call(resetCall(token, mine)), usedUp)
    }
    const changes = (await api.world.log.read(`user-${anna.id}`)).filter(({ type }) => type === 'UserPasswordChanged')
    t.equal(changes.length, isLost ? 2 : 1)
  }
})
