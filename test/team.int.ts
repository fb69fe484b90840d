import t from 'tap'
import * as z from 'zod'
import { dashboardRoutes } from '../api/dashboard/routes.ts'
import type { DashboardServices } from '../api/dashboard/services.ts'
import { routeTable } from '../api/v1/routes.ts'
import { handle } from '../commands/handle.ts'
import { changeRole, createUser, removeUser } from '../commands/user.ts'
import { parseScopes } from '../app/cli/keys.ts'
import { SCOPES, type Permission } from '../domain/core/scope.ts'
import { invitation } from '../domain/workspace/invitation.ts'
import { USER_ROLES, type UserRole } from '../domain/workspace/role.ts'
import { user, userIdOf } from '../domain/workspace/user.ts'
import { apiKeyFormat } from '../infra/runtime/key-format.ts'
import { START } from '../event-log/event-log.ts'
import { listUsers } from '../projections/models/users.ts'
import { givenApi, idleServices } from './support/api.ts'
import type { Answer } from './support/api-answer.ts'
import { cookieOf, dyingServer, givenUser, PASSWORD, signIn, unsigned, type SignedIn } from './support/dashboard.ts'
import { readUntilCaughtUp } from './support/event-log-helpers.ts'
import { movableClock } from './support/movable-clock.ts'
import { ids } from './support/sandbox.ts'
import { causedBy } from './support/world.ts'

/* Who may do what in a workspace, and how people join it. */

const DAY_MS = 86_400_000
const API = '/dashboard/api'

/** What decision 67 and docs/teams.md say, written out apart from the code: who has each permission. */
const ALL: readonly UserRole[] = ['owner', 'manager', 'author', 'reviewer', 'reader']
const MANAGERS: readonly UserRole[] = ['owner', 'manager']
const MAY: Readonly<Record<Permission, readonly UserRole[]>> = {
  dashboard: ALL,
  'keys:read': MANAGERS,
  'keys:write': MANAGERS,
  'accounts:read': ALL,
  'accounts:write': MANAGERS,
  'posts:read': ALL,
  'posts:propose': MANAGERS,
  'posts:write': ['owner', 'manager', 'author'],
  'approvals:write': ['owner', 'manager', 'author', 'reviewer'],
  'approvals:decide': ['owner', 'manager', 'reviewer'],
  'analytics:read': ALL,
  'comments:read': ALL,
  'comments:write': ['owner', 'manager', 'author', 'reviewer'],
  'credits:read': ALL,
  'videos:read': ALL,
  'videos:write': ['owner', 'manager', 'author'],
  'webhooks:read': MANAGERS,
  'webhooks:write': MANAGERS,
  'rss:read': ALL,
  'rss:write': MANAGERS,
  'recycling:read': ALL,
  'recycling:write': MANAGERS,
  'users:read': ALL,
  'users:write': MANAGERS,
  'erasures:read': MANAGERS,
  'erasures:write': ['owner'],
}

t.test('given a user of each role, when they call each route, then the table decides', async (t) => {
  const api = await givenApi(t, { dashboard: { perMinute: 1_000_000 } })
  const services = idleServices(api.world)
  const routes = [
    ...routeTable(services).map((route) => ({ ...route, prefix: '/v1' })),
    ...dashboardRoutes({
      ...services,
      ...{ connection: { platforms: [] }, competitors: { platforms: [] } },
    } as unknown as DashboardServices).map((route) => ({
      ...route,
      prefix: API,
    })),
  ]
  const ws = (await givenUser(api, 'first')).workspaceId
  for (const role of USER_ROLES) {
    const { name } = await givenUser(api, `the ${role}`.replace(' ', '.'), ws, role)
    const page = await signIn(api, name)
    for (const { method, path, prefix, scope, operationId } of routes) {
      if (operationId === 'endSession') continue
      const answer = await page.call({
        ...{ method, path: `${prefix}${path.replace(/\{\w+\}/g, 'none')}` },
        body: method === 'GET' ? undefined : {},
      })
      const may = MAY[scope].includes(role)
      const refused = answer.code === 'insufficient_scope'
      t.equal(refused, !may, `${role}: ${method} ${prefix}${path} was answered with ${answer.status} ${answer.code}`)
      if (refused) t.match(answer.message, `Your role, ${role},`)
    }
  }
})

const linkSchema = z.object({ id: z.string(), link: z.url(), expiresAt: z.string() })

async function invite(page: SignedIn, body: object = { role: 'author' }) {
  const answer = await page.call({ method: 'POST', path: `/v1/invitations`, body })
  if (answer.status !== 201) throw new Error(answer.text)
  const { id, link, expiresAt } = linkSchema.parse(answer.body)
  return { id, link, expiresAt, token: new URL(link).hash.slice(1) }
}

const joinCall = (token: string, name: string, password = PASSWORD) => unsigned('/join', { token, name, password })

t.test('given an owner', async (t) => {
  const clock = movableClock()
  const api = await givenApi(t, { clock })
  const ada = await givenUser(api, 'ada')
  const page = await signIn(api, 'ada')
  const usersOf = async (by = page) =>
    z
      .object({ users: z.array(z.object({ id: z.string(), name: z.string(), role: z.string() })) })
      .parse((await by.call({ path: `/v1/users` })).body).users
  const rolesNow = async (by = page) => Object.fromEntries((await usersOf(by)).map(({ name, role }) => [name, role]))

  await t.test('when she invites an author, then the link makes one user with that role', async (t) => {
    const { token, link, id } = await invite(page, { role: 'author', label: 'Ben from the shop' })
    t.match(link, /\/join#fni_/)
    t.match(await api.call(unsigned('/invitation', { token })), {
      status: 200,
      body: { workspace: { name: 'of ada' }, role: 'author' },
    })
    t.match(await page.call({ path: `/v1/invitations` }), {
      body: { invitations: [{ id, role: 'author', label: 'Ben from the shop', invitedBy: 'ada' }] },
    })
    const joined = await api.call(joinCall(token, 'ben'))
    t.match(joined, {
      status: 200,
      body: { user: { name: 'ben', role: 'author' }, workspace: { id: ada.workspaceId } },
    })
    const cookie = cookieOf(joined)
    t.match(await api.call({ path: '/v1/posts', headers: { cookie } }), { status: 200 })
    t.match(await api.call({ path: `${API}/keys`, headers: { cookie } }), { status: 403 })
    t.same(await rolesNow(), { ada: 'owner', ben: 'author' })
    t.match(await page.call({ path: `/v1/invitations` }), { body: { invitations: [] } })

    for (const path of ['/invitation', '/join']) {
      const again = await api.call(unsigned(path, { token, name: 'carl', password: PASSWORD }))
      t.match(again, { status: 409, code: 'failed_precondition', message: /^This invitation has been used/ })
    }
    t.match(await api.call(joinCall(token, 'ben', 'another password')), { status: 409 }, 'nor is it a way to sign in')
    t.match(await page.call({ method: 'DELETE', path: `/v1/invitations/${id}` }), { status: 409 })
  })

  await t.test('when a link is wrong, revoked or expired, then it makes nobody a user', async (t) => {
    const revoked = await invite(page)
    t.match(await page.call({ method: 'DELETE', path: `/v1/invitations/${revoked.id}` }), { status: 204 })
    const whole = await invite(page)
    const other = await invite(page)
    const [mark, , secret = ''] = other.token.split('_')
    const before = await rolesNow()
    const wrong: Readonly<Record<string, string>> = {
      'cut off': whole.token.slice(0, -1),
      'of another kind': whole.token.replace('fni_', 'fnf_'),
      'with the secret of another': `${mark}_${whole.token.split('_')[1]}_${secret}_000000`,
      nothing: '-',
    }
    for (const [name, token] of Object.entries(wrong)) {
      t.match(await api.call(joinCall(token, 'dora')), { status: 404, message: /^No such invitation/ }, name)
    }
    t.match(await api.call(joinCall(revoked.token, 'dora')), { status: 409, message: /revoked/ })
    const key = await api.key({ workspaceId: ada.workspaceId })
    t.match(await api.call(joinCall(key, 'dora')), { status: 404 })
    await clock.advanceTo(Date.parse(whole.expiresAt))
    t.match(await api.call(joinCall(whole.token, 'dora')), { status: 409, message: /expired/ })
    t.match(await api.call(unsigned('/invitation', { token: whole.token })), { status: 409, message: /expired/ })
    const again = await signIn(api, 'ada')
    t.same(await rolesNow(again), before)
    t.match(await again.call({ path: `/v1/invitations` }), { body: { invitations: [] } }, 'nor is it listed')
  })
})

t.test('given an owner, a manager and an author', async (t) => {
  const api = await givenApi(t)
  const { workspaceId, id: owner } = await givenUser(api, 'olga')
  const manager = await givenUser(api, 'max', workspaceId, 'manager')
  const author = await givenUser(api, 'anna', workspaceId, 'author')
  const stranger = await givenUser(api, 'sam')
  const [olga, max, sam] = [await signIn(api, 'olga'), await signIn(api, 'max'), await signIn(api, 'sam')]
  const setRole = (page: SignedIn, id: string, role: string) =>
    page.call({ method: 'PATCH', path: `/v1/users/${id}`, body: { role } })
  const remove = (page: SignedIn, id: string) => page.call({ method: 'DELETE', path: `/v1/users/${id}` })

  await t.test('when the manager reaches beyond authors, reviewers and readers, then it is refused', async (t) => {
    for (const role of ['owner', 'manager'] as const) {
      const answer = await max.call({ method: 'POST', path: `/v1/invitations`, body: { role } })
      t.match(answer, { status: 403, code: 'insufficient_scope' })
      t.match(await setRole(max, author.id, role), { status: 403 })
    }
    for (const id of [owner, manager.id]) {
      t.match(await setRole(max, id, 'reader'), { status: 403 })
      t.match(await remove(max, id), { status: 403 })
    }
    const { id } = await invite(olga, { role: 'manager' })
    t.match(await max.call({ method: 'DELETE', path: `/v1/invitations/${id}` }), { status: 403 })
    const keys = { method: 'POST', path: `${API}/keys`, body: { scopes: ['posts:read', 'erasures:write'] } } as const
    t.match(await max.call(keys), { status: 403, message: /erasures:write/ }, 'no key that may do more than its maker')
    t.match(await olga.call(keys), { status: 201 })
  })

  await t.test('when a role changes, then it applies to the next request of that user', async (t) => {
    const anna = await signIn(api, 'anna')
    t.match(await anna.call({ method: 'POST', path: '/v1/drafts', body: {} }), { status: 201 })
    t.match(await setRole(max, author.id, 'reader'), { status: 200, body: { id: author.id, role: 'reader' } })
    t.match(await anna.call({ method: 'POST', path: '/v1/drafts', body: {} }), { status: 403 })
    t.match(await anna.call({ path: `${API}/session` }), { body: { user: { role: 'reader' } } })
    t.match(await setRole(max, author.id, 'everything'), {
      status: 400,
      message: /^role must be one of owner, manager/,
    })
    t.match(await remove(max, author.id), { status: 204 })
    t.match(await anna.call({ path: `${API}/session` }), { status: 401 })
    t.match(await remove(max, author.id), { status: 404 })
  })

  await t.test('when somebody may not invite any longer, then their links make no users', async (t) => {
    const { id } = await givenUser(api, 'mia', workspaceId, 'manager')
    const links = [await invite(await signIn(api, 'mia')), await invite(await signIn(api, 'mia'))]
    t.match(await setRole(olga, id, 'author'), { status: 200 })
    const listed = await olga.call({ path: `/v1/invitations` })
    for (const link of links) t.notMatch(listed.text, link.id)
    const refused = { status: 409, message: /can no longer invite/ }
    t.match(await api.call(joinCall(links[0]?.token ?? '', 'back.door')), refused)
    t.match(await remove(olga, id), { status: 204 })
    t.match(await api.call(joinCall(links[1]?.token ?? '', 'back.door')), refused)
    t.match(await api.call(unsigned('/invitation', { token: links[1]?.token })), refused)
  })

  await t.test('when the last owner would go, then it is refused until there is another', async (t) => {
    t.match(await remove(olga, owner), { status: 409, message: /last owner/ })
    t.match(await setRole(olga, owner, 'reader'), { status: 409, message: /last owner/ })
    t.match(await setRole(olga, owner, 'owner'), { status: 200 })
    t.match(await setRole(olga, manager.id, 'owner'), { status: 200 })
    t.match(await setRole(olga, owner, 'reader'), { status: 200 })
    t.match(await setRole(olga, owner, 'owner'), { status: 403 }, 'and there is no way back alone')
  })

  await t.test('when a stranger names users and invitations, then they are none of theirs', async (t) => {
    const { id } = await invite(max, { role: 'reader' })
    t.match(await remove(sam, manager.id), { status: 403, code: 'forbidden' })
    t.match(await setRole(sam, manager.id, 'reader'), { status: 403, code: 'forbidden' })
    t.match(await sam.call({ method: 'DELETE', path: `/v1/invitations/${id}` }), { status: 403, code: 'forbidden' })
    t.match(await sam.call({ path: `/v1/users` }), { body: { users: [{ id: stranger.id }] } })
    t.match(await sam.call({ path: `/v1/invitations` }), { body: { invitations: [] } })
  })
})

t.test('given an API key that may manage users', async (t) => {
  const api = await givenApi(t)
  const { workspaceId, id: owner } = await givenUser(api, 'olga')
  const { id: manager } = await givenUser(api, 'max', workspaceId, 'manager')
  const { id: author } = await givenUser(api, 'anna', workspaceId, 'author')
  const key = await api.key({ workspaceId, scopes: ['users:read', 'users:write'] })
  const olga = await signIn(api, 'olga')
  const call = (method: string, path: string, body?: object, as = key) =>
    api.call({ method, path: `/v1${path}`, key: as, ...(body && { body }) })
  const refused = { status: 403, code: 'insufficient_scope', message: /^API keys cannot manage users with the role/ }

  await t.test('when it names those of a lower role, then it changes and removes them', async (t) => {
    t.match(await call('PATCH', `/users/${author}`, { role: 'reviewer' }), { status: 200, body: { role: 'reviewer' } })
    const { id } = await givenUser(api, 'rita', workspaceId, 'reader')
    t.match(await call('DELETE', `/users/${id}`), { status: 204 })
    t.match(await call('GET', '/users'), {
      body: { users: [{ name: 'anna', role: 'reviewer', totp: false }, { name: 'max', totp: null }, { name: 'olga' }] },
    })
  })

  await t.test('when it names owners and managers, then it cannot, nor make any', async (t) => {
    for (const id of [owner, manager]) {
      t.match(await call('PATCH', `/users/${id}`, { role: 'reader' }), refused)
      t.match(await call('DELETE', `/users/${id}`), refused)
    }
    for (const role of ['owner', 'manager']) {
      t.match(await call('PATCH', `/users/${author}`, { role }), refused)
      t.match(await call('POST', '/invitations', { role }), refused)
    }
    t.same(
      (await listUsers(api.world.db, workspaceId)).filter(({ removed }) => !removed).map(({ role }) => role),
      ['reviewer', 'manager', 'owner'],
    )
  })

  await t.test('when it may only read, then it learns nothing about how people sign in', async (t) => {
    const reading = await api.key({ workspaceId, scopes: ['users:read'] })
    t.match(await call('GET', '/users', undefined, reading), { body: { users: [{ totp: null }, {}, {}] } })
    t.match(await call('GET', '/invitations', undefined, reading), { status: 403 })
    t.match(await call('DELETE', `/users/${author}`, undefined, reading), { status: 403 })
  })

  await t.test('when it invites, then the link works until the key is revoked', async (t) => {
    const made = [
      linkSchema.parse((await call('POST', '/invitations', { role: 'author' })).body),
      linkSchema.parse((await call('POST', '/invitations', { role: 'author' })).body),
    ]
    const [first = '', second = ''] = made.map(({ link }) => new URL(link).hash.slice(1))
    t.match(await api.call(joinCall(first, 'ben')), { status: 200, body: { user: { role: 'author' } } })
    const keyId = apiKeyFormat.parse(key)?.id
    t.match(await olga.call({ path: '/v1/invitations' }), { body: { invitations: [{ id: made[1]?.id }] } })
    t.match(await olga.call({ method: 'DELETE', path: `${API}/keys/${keyId}` }), { status: 204 })
    t.match(await api.call(joinCall(second, 'carl')), { status: 409, message: /can no longer invite/ })
    t.match(await olga.call({ path: '/v1/invitations' }), { body: { invitations: [] } })
  })
})

t.test(
  'given a process that dies at the append of an invitation, when the request is repeated, then there is one',
  async (t) => {
    const api = await givenApi(t)
    const { workspaceId } = await givenUser(api, 'ada')
    const key = await api.key({ workspaceId, scopes: ['users:write'] })
    for (const isLost of [false, true]) {
      const request = {
        ...({ method: 'POST', path: '/v1/invitations', key, body: { role: 'reader' } } as const),
        headers: { 'idempotency-key': `lost ${isLost}` },
      }
      t.match(await (await dyingServer(api, 1, isLost)).call(request), { status: 500 })
      const made = linkSchema.parse((await api.call(request)).body)
      t.same(linkSchema.parse((await api.call(request)).body), made, 'and has the same answer again')
      const listed = await api.call({ path: '/v1/invitations', key })
      t.match(listed.body, { invitations: [{ id: made.id }] })
      t.equal((listed.body['invitations'] as unknown[]).length, 1)
      t.match(await api.call(joinCall(new URL(made.link).hash.slice(1), `lost.${isLost}`)), { status: 200 })
    }
  },
)

t.test('given one link and several people at once, then one of them joins', async (t) => {
  const api = await givenApi(t)
  const { workspaceId } = await givenUser(api, 'ada')
  const page = await signIn(api, 'ada')
  const servers = [api, await api.server(), await api.server()]
  for (let round = 0; round < 5; round += 1) {
    const { token } = await invite(page)
    const before = (await listUsers(api.world.db, workspaceId)).length
    const answers = await Promise.all(
      servers.map((server, nth) => server.call(joinCall(token, `round${round}.${nth}`))),
    )
    t.same(answers.map(({ status }) => status).sort(), [200, 409, 409])
    t.equal((await listUsers(api.world.db, workspaceId)).length, before + 1)
  }
})

t.test('given a process that dies at any append of joining', async (t) => {
  const clock = movableClock()
  const api = await givenApi(t, { clock })
  const { workspaceId } = await givenUser(api, 'ada')
  const page = await signIn(api, 'ada')
  let points = 0
  for (const isLost of [false, true]) {
    for (let at = 1; ; at += 1) {
      const server = await dyingServer(api, at, isLost)
      const who = `at${at}.${isLost ? 'after' : 'before'}`
      const { token, id } = await invite(page)
      const cut = await server.call(joinCall(token, who))
      if (cut.status === 200) break
      points += 1
      t.equal(cut.status, 500)
      const joins = async (name: string): Promise<Answer> => api.call(joinCall(token, name))
      const elseJoins = await joins(`${who}.else`)
      if (at === 1 && !isLost) {
        t.match(elseJoins, { status: 200 }, 'nothing had happened yet')
      } else {
        t.match(elseJoins, { status: 409 }, `${who}: the link is held`)
        t.match(await joins(who), { status: 200, body: { user: { name: who } } }, `${who}: the same request goes on`)
      }
      const joined = (await readUntilCaughtUp(api.world.log, START)).filter(
        ({ type, data }) => type === 'UserCreated' && (data as { invitationId?: string }).invitationId === id,
      )
      t.equal(joined.length, 1, `${who}: one user`)
    }
  }
  t.equal(points, 4, 'accepting and creating, each before and after')

  await t.test('when that person never comes back, then after a minute somebody else can', async (t) => {
    const server = await dyingServer(api, 2, false)
    const { token } = await invite(page)
    t.match(await server.call(joinCall(token, 'gone')), { status: 500 })
    t.match(await api.call(joinCall(token, 'next')), { status: 409, message: /Try again in a minute/ })
    const { token: left } = await invite(page, { role: 'reader', days: 1 })
    const cutOff = await dyingServer(api, 2, false)
    t.match(await cutOff.call(joinCall(left, 'left')), { status: 500 })
    await clock.advanceTo(clock.now() + 60_000)
    t.match(await api.call(joinCall(token, 'next')), { status: 200 })
    t.match(await api.call(joinCall(token, 'gone')), { status: 409, message: /has been used/ })
    const names = (await listUsers(api.world.db, workspaceId)).map(({ name }) => name)
    t.ok(names.includes('next') && !names.includes('gone'))
    await clock.advanceTo(clock.now() + DAY_MS)
    t.match(await api.call(joinCall(left, 'left')), { status: 409, message: /expired/ }, 'but not for ever')
  })

  await t.test('when the name is taken, then another can be chosen at once', async (t) => {
    const { token } = await invite(page)
    t.match(await api.call(joinCall(token, 'ADA')), { status: 409, message: /taken/ })
    t.match(await api.call(joinCall(token, 'no spaces')), { status: 400, message: /^name/ })
    t.match(await api.call(joinCall(token, 'ok', 'short')), { status: 400, message: /^password/ })
    t.match(await api.call(joinCall(token, 'ok')), { status: 200 })
  })

  await t.test('when a user is removed, then no link makes another who would have their drafts', async (t) => {
    const first = await invite(page)
    t.match(await api.call(joinCall(first.token, 'rita')), { status: 200 })
    const rita = userIdOf('rita')
    t.match(await page.call({ method: 'DELETE', path: `/v1/users/${rita}` }), { status: 204 })
    t.match(await api.call(joinCall(first.token, 'rita')), { status: 409, message: /has been used/ })
    const second = await invite(page, { role: 'reader' })
    t.match(await api.call(joinCall(second.token, 'rita')), { status: 409, message: /taken/ })
    const again = { workspaceId, name: 'rita', passwordId: ids.token(), role: 'reader' } as const
    await handle(api.world, user, rita, causedBy('again'), (state) => createUser(state, again))
    await clock.advanceTo(clock.now() + 60_000)
    t.match(await api.call(joinCall(first.token, 'rita.1')), { status: 409, message: /has been used/ }, 'nor later')
    t.match(await api.call(joinCall(second.token, 'rita.2')), { status: 200, body: { user: { role: 'reader' } } })
  })
})

t.test('given a role instead of scopes, when a key is made, then it has those scopes of the role', async (t) => {
  for (const role of USER_ROLES) {
    const scopes = parseScopes(role)
    for (const scope of SCOPES) t.equal(scopes.includes(scope), MAY[scope].includes(role), `${role} ${scope}`)
  }
  t.throws(() => parseScopes('author,reader'), { message: /author is not a scope; use all, a role \(owner, manager/ })
})

t.test('a user’s stream decides about the role, and an invitation’s about its link', async (t) => {
  const active = { status: 'active', workspaceId: 'ws_1', name: 'ada', passwordId: 'p', role: 'reader' } as const
  t.same(changeRole(active, 'author'), [{ type: 'UserRoleChanged', data: { workspaceId: 'ws_1', role: 'author' } }])
  t.same(changeRole(active, 'reader'), [])
  t.throws(() => changeRole({ ...active, status: 'removed' }, 'author'), { code: 'not_found' })
  t.throws(() => removeUser({ status: 'absent' }), { code: 'not_found' })
  const at = new Date(DAY_MS).toISOString()
  const of = { at, actor: { kind: 'cli', id: 'me' }, correlationId: 'x', causationId: 'x' } as const
  t.same(invitation.evolve({ status: 'absent' }, { type: 'InvitationRevoked', data: {} }, of), { status: 'absent' })
})
