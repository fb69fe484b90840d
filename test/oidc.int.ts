import t, { type Test } from 'tap'
import * as z from 'zod'
import { handle } from '../commands/handle.ts'
import { linkIdentity, unlinkIdentity } from '../commands/identity.ts'
import { joinWorkspace } from '../commands/member.ts'
import { member, memberIdOf } from '../domain/workspace/member.ts'
import { user, userIdOf } from '../domain/workspace/user.ts'
import { codeOf, keyOf } from '../infra/runtime/one-time-code.ts'
import { findUser, workspacesOf } from '../projections/models/users.ts'
import { givenApi, type ApiWorld, type Server } from './support/api.ts'
import { dyingServer, givenUser, PASSWORD, signIn, unsigned, type SignedIn } from './support/dashboard.ts'
import { movableClock } from './support/movable-clock.ts'
import { freePort } from './support/free-port.ts'
import {
  CLIENT_SECRET,
  givenOddProvider,
  givenProvider,
  signInAt,
  signOnWith,
  type Oddity,
  type People,
} from './support/oidc.ts'
import { until } from './support/service-process.ts'
import { causedBy } from './support/world.ts'

/* Sign-in with OpenID Connect, at a real provider. */

const API = '/dashboard/api'
const BEGIN = `${API}/single-sign-on/begin`
const CALLBACK = 'https://fanfare.test/dashboard/api/single-sign-on/callback'
const ROLES = [
  { group: 'social', role: 'author' },
  { group: 'leads', role: 'manager' },
  { group: 'chiefs', role: 'owner' },
] as const
const MINUTE_MS = 60_000
const STEP_MS = 30_000

/** A browser between the service and the provider. */
interface Visitor {
  readonly jar: Map<string, string>
  visit(url: string): Promise<{ status: number; to: string; text: string }>
}

/** Each from an address of its own: sign-ins are counted by address. */
let visitors = 0
function visitor(server: Pick<Server, 'app'>, jar = new Map<string, string>()): Visitor {
  visitors += 1
  const remoteAddress = `10.9.${visitors >> 8}.${visitors & 255}`
  return {
    jar,
    visit: async (url) => {
      const { pathname, search } = new URL(url, 'https://fanfare.test')
      const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
      const answer = await server.app.inject({
        method: 'GET',
        url: pathname + search,
        headers: { cookie },
        remoteAddress,
      })
      for (const { name, value } of answer.cookies) {
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
      return { status: answer.statusCode, to: String(answer.headers.location ?? ''), text: answer.body }
    },
  }
}

async function givenSignOn(t: Test) {
  const people: People = new Map()
  const clock = movableClock()
  const issuer = await givenProvider(t, CALLBACK, people)
  const signOn = signOnWith(t, issuer, { roles: ROLES, workspace: 'of ada' })
  const api = await givenApi(t, { clock, dashboard: { singleSignOn: signOn } })
  const ada = await givenUser(api, 'ada')
  /** Begins, signs in at the provider, and is about to come back. */
  const atProvider = async (login: string, who = visitor(api), begin = BEGIN) => {
    const begun = await who.visit(begin)
    if (begun.status !== 302) throw new Error(begun.text)
    return { who, back: await signInAt(begun.to, login) }
  }
  const signInAs = async (login: string, who?: Visitor) => {
    const { who: same, back } = await atProvider(login, who)
    return { who: same, ...(await same.visit(back)) }
  }
  const sessionOf = async (who: Visitor) => JSON.parse((await who.visit(`${API}/session`)).text) as object
  const isIn = (who: Visitor) => who.jar.has('fanfare_session')
  const eventsOf = async (name: string) => api.world.log.read(`user-${userIdOf(name)}`)
  const usersOf = async () => {
    const { rows } = await api.world.db.query<{ name: string }>('select name from read.members where not removed')
    return rows.map(({ name }) => name).sort()
  }
  return { api, clock, people, issuer, ada, atProvider, signInAs, sessionOf, isIn, eventsOf, usersOf }
}

const post = (page: SignedIn, path: string, body: object) => page.call({ method: 'POST', path: `${API}${path}`, body })

t.test('given nothing is set up, then the page learns it, and there is nothing to begin', async (t) => {
  const api = await givenApi(t)
  await givenUser(api, 'ada')
  t.match(await api.call({ path: `${API}/single-sign-on` }), { status: 200, body: { singleSignOn: null } })
  t.match(await visitor(api).visit(BEGIN), { status: 404 })
  const page = await signIn(api, 'ada')
  t.match(await page.call({ path: `${API}/identity` }), { body: { provider: null, issuer: null, hasPassword: true } })
  t.match(await post(page, '/identity', { password: PASSWORD }), { status: 409, message: /not set up/ })
})

t.test('given people in groups', async (t) => {
  const { api, clock, people, issuer, ada, atProvider, signInAs, sessionOf, isIn, eventsOf, usersOf } =
    await givenSignOn(t)
  people.set('staff-7', { preferred_username: 'Bén Ü', email: 'ben@example.com', groups: ['staff', 'social'] })

  await t.test('when one signs in for the first time, then a user is there, once, without a password', async (t) => {
    t.match(await api.call({ path: `${API}/single-sign-on` }), {
      body: { singleSignOn: { name: 'single sign-on', url: `https://fanfare.test${BEGIN}` } },
    })
    const { who, back } = await atProvider('staff-7', visitor(api), `${BEGIN}?to=/posts?page=2`)
    t.match(await who.visit(back), { status: 302, to: 'https://fanfare.test/posts?page=2' })
    t.match(await sessionOf(who), { user: { name: 'Ben-U', role: 'author' }, workspace: { id: ada.workspaceId } })
    t.match(await eventsOf('Ben-U'), [
      { type: 'UserCreated', data: { role: 'author' } },
      { type: 'UserIdentityLinked', data: { issuer, subjectHash: /^[0-9a-f]{64}$/, joined: true } },
    ])
    const { who: again, status } = await signInAs('staff-7')
    t.equal(status, 302)
    t.match(await sessionOf(again), { user: { name: 'Ben-U' } })
    t.equal((await eventsOf('Ben-U')).length, 2)
    for (const password of ['', PASSWORD, 'Ben-U']) {
      const answer = await api.call(unsigned('/session', { name: 'Ben-U', password }))
      t.ok([400, 401].includes(answer.status), answer.text)
    }
  })

  await t.test('when the way back is changed in any way, then nobody is signed in', async (t) => {
    const { who, back } = await atProvider('staff-7')
    const changed = (change: (query: URLSearchParams) => void) => {
      const url = new URL(back)
      change(url.searchParams)
      return url.href
    }
    const withOtherFirst = (text: string) => `${text.startsWith('x') ? 'y' : 'x'}${text.slice(1)}`
    const flow = who.jar.get('fanfare_sign_in') ?? ''
    const wrong = [
      changed((query) => query.delete('state')),
      changed((query) => query.set('state', withOtherFirst(query.get('state') ?? ''))),
      changed((query) => query.append('state', 'x')),
    ]
    for (const url of wrong.slice(0, 2)) t.match(await who.visit(url), { status: 400, text: /another browser/ })
    const thief = visitor(api)
    t.match(await thief.visit(back), { status: 400, text: /another browser/ }, 'another browser')
    for (const token of [`${flow.slice(0, -1)}~`, flow.slice(1), withOtherFirst(flow), 'x'.repeat(5_000)]) {
      t.match(await visitor(api, new Map([['fanfare_sign_in', token]])).visit(back), { status: 400 })
    }
    t.match(await who.visit(back), { status: 302 }, 'the right way still works')
    t.ok(isIn(who))
    for (const change of [
      (query: URLSearchParams) => query.set('code', `${query.get('code')}x`),
      (query: URLSearchParams) => query.delete('code'),
      (query: URLSearchParams) => query.set('iss', 'https://evil.example'),
      (query: URLSearchParams) => query.append('state', 'x'),
      (query: URLSearchParams) => query.append('code', 'x'),
    ]) {
      const next = await atProvider('staff-7')
      const url = new URL(next.back)
      change(url.searchParams)
      const answer = await next.who.visit(url.href)
      t.ok(answer.status >= 400 && answer.text.includes('Try again'), answer.text)
      t.notOk(isIn(next.who))
      t.match(await next.who.visit(next.back), { status: 400 }, 'and the flow has ended')
    }
    const [one, other] = [await atProvider('staff-7'), await atProvider('staff-7')]
    t.match(await one.who.visit(other.back), { status: 400 }, 'the answer of another flow')
  })

  await t.test('when the way back is taken twice, also at once, then one session begins', async (t) => {
    const { who, back } = await atProvider('staff-7')
    const flow = new Map(who.jar)
    const servers = [api, await api.server(), api, await api.server()]
    const answers = await Promise.all(servers.map((server) => visitor(server, new Map(flow)).visit(back)))
    t.same(answers.map(({ status }) => status).sort(), [302, 400, 400, 400])
    t.match(await visitor(api, new Map(flow)).visit(back), { status: 400 })
  })

  await t.test('when many sign in from one address, then they soon have to wait', async (t) => {
    const who = visitor(api)
    const statuses: number[] = []
    for (let tries = 0; tries < 12; tries += 1) statuses.push((await who.visit(BEGIN)).status)
    t.same(
      statuses.slice(0, 10),
      Array.from({ length: 10 }, () => 302),
    )
    t.match(await who.visit(BEGIN), { status: 429, text: /Wait a minute/ })
  })

  await t.test('when it takes too long, then it has expired', async (t) => {
    const { who, back } = await atProvider('staff-7')
    await clock.advanceTo(clock.now() + 11 * MINUTE_MS)
    t.match(await who.visit(back), { status: 400, text: /has expired/ })
  })

  await t.test('when it leads elsewhere, then it leads to the first page', async (t) => {
    for (const to of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/%0d%0aX: y',
      `${API}/session`,
      '/ x',
    ]) {
      const { who, back } = await atProvider('staff-7', visitor(api), `${BEGIN}?to=${encodeURIComponent(to)}`)
      const answer = await who.visit(back)
      const at = new URL(answer.to)
      t.equal(at.origin, 'https://fanfare.test', to)
      t.notMatch(at.pathname, 'dashboard')
    }
  })

  await t.test('when somebody cancels, or is in no group, then they read why', async (t) => {
    const who = visitor(api)
    const begun = await who.visit(BEGIN)
    const state = new URL(begun.to).searchParams.get('state') ?? ''
    const denied = `${CALLBACK}?${new URLSearchParams({ error: 'access_denied', state, iss: issuer })}`
    t.match(await who.visit(denied), { status: 403, text: /You cancelled/ })
    for (const [login, claims] of Object.entries({
      none: { preferred_username: 'none' },
      other: { preferred_username: 'other', groups: ['staff'] },
      odd: { preferred_username: 'odd', groups: { social: true } },
      alike: { preferred_username: 'alike', groups: ['Social', 'social '] },
    })) {
      people.set(login, claims)
      const answer = await signInAs(login)
      t.match(answer, { status: 403, text: /Ask for an invitation/ }, login)
      t.notOk(isIn(answer.who))
    }
    people.set('nameless', { groups: ['social'], preferred_username: '???' })
    t.match(await signInAs('nameless'), { status: 403, text: /can be your name/ })
    people.set('mail', { groups: 'social', email: 'Eve+x@example.com' })
    t.match(await sessionOf((await signInAs('mail')).who), { user: { name: 'Eve+x@example.com' } })
  })

  await t.test('when a name is taken, then the other’s user is safe, and linking is the way', async (t) => {
    people.set('a1', { preferred_username: 'ADA', groups: ['leads'] })
    const answer = await signInAs('a1')
    t.match(answer, { status: 409, text: /The name ADA is taken/ })
    t.notOk(isIn(answer.who))
    t.match(await signInAs('a1'), { status: 409 })
  })

  await t.test('when groups change, then the role follows at the next sign-in', async (t) => {
    const roleFor = async (...groups: readonly string[]) => {
      people.set('staff-7', { preferred_username: 'renamed', groups })
      return sessionOf((await signInAs('staff-7')).who)
    }
    t.match(await roleFor('social', 'leads'), { user: { name: 'Ben-U', role: 'manager' } })
    t.match((await eventsOf('Ben-U')).at(-1), {
      type: 'UserRoleChanged',
      metadata: { actor: { kind: 'reactor', id: 'single-sign-on' } },
    })
    t.match(await roleFor('social'), { user: { role: 'author' } })
    people.set('staff-7', { preferred_username: 'renamed', groups: ['staff'] })
    const refused = await signInAs('staff-7')
    t.match(refused, { status: 403, text: /no longer in a group/ })
    t.notOk(isIn(refused.who))
    t.match(await roleFor('social'), { user: { role: 'author' } })
    t.notOk((await usersOf()).includes('renamed'), 'a name is not who it is')
  })

  await t.test('when a user without a password asks for a link by e-mail, then none is sent', async (t) => {
    t.match(await api.call(unsigned('/forgotten-password', { name: 'Ben-U' })), { status: 200 })
    const { rows } = await api.world.db.query('select 1 from read.notifications')
    t.same(rows, [])
  })

  await t.test('when a colleague makes a reset link, then it gives them a password', async (t) => {
    const { who } = await signInAs('staff-7')
    t.match(JSON.parse((await who.visit(`${API}/identity`)).text), { issuer, hasPassword: false })
    const owner = await signIn(api, 'ada')
    const made = await post(owner, `/users/${userIdOf('Ben-U')}/reset-link`, {})
    const { link } = z.object({ link: z.url() }).parse(made.body)
    const password = 'chosen by ben himself'
    t.match(await api.call(unsigned('/reset', { token: new URL(link).hash.slice(1), password })), { status: 200 })
    const page = await signIn(api, 'Ben-U', password)
    t.match(await page.call({ path: `${API}/identity` }), { body: { hasPassword: true } })
    t.match((await signInAs('staff-7')).status, 302)
  })

  await t.test('when they are removed, then they do not come back by it', async (t) => {
    const owner = await signIn(api, 'ada')
    t.match(await owner.call({ method: 'DELETE', path: `/v1/users/${userIdOf('Ben-U')}` }), { status: 204 })
    people.set('staff-7', { preferred_username: 'new-name', groups: ['social'] })
    const refused = await signInAs('staff-7')
    t.match(refused, { status: 403, text: /Your user was removed/ })
    t.notOk((await usersOf()).includes('new-name'))
  })

  await t.test('then nothing secret stands in the log or the events', async (t) => {
    const lines = api.logged.join('\n')
    t.match(lines, /signed in by single sign-on/)
    t.match(lines, /"kind":"no-group"/)
    for (const part of [CLIENT_SECRET, 'eyJ', 'code=', 'ben@example.com']) t.notMatch(lines, part)
    const { rows } = await api.world.db.query<{ data: string }>(
      "select data::text from log.events where type = 'UserIdentityLinked'",
    )
    t.ok(rows.length > 0)
    const hash = (await findUser(api.world.db, userIdOf('Eve+x@example.com')))?.identity?.subjectHash ?? 'none'
    t.match(hash, /^[0-9a-f]{64}$/)
    for (const { data } of rows) t.notMatch(data, hash, 'it is encrypted as the name is')
    const events = JSON.stringify(await eventsOf('Ben-U'), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    for (const part of ['staff-7', 'ben@example.com', 'eyJ']) t.notMatch(events, part)
  })
})

t.test('given a user with a password', async (t) => {
  const { api, clock, people, issuer, ada, signInAs, sessionOf, isIn, eventsOf } = await givenSignOn(t)
  people.set('ada@id', { preferred_username: 'whoever' })
  people.set('cy@id', { preferred_username: 'cy' })
  await givenUser(api, 'cy', ada.workspaceId, 'reviewer')

  /** In the browser of a page. */
  const linking = async (page: SignedIn, login: string) => {
    const answer = await post(page, '/identity', { password: PASSWORD })
    t.match(answer, { status: 201 }, answer.text)
    const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(answer.headers['set-cookie'] ?? '') ?? []
    const who = visitor(api, new Map([[name, value]]))
    const { url } = z.object({ url: z.url() }).parse(answer.body)
    return { who, back: await signInAt(url, login) }
  }
  const link = async (page: SignedIn, login: string) => {
    const { who, back } = await linking(page, login)
    return { who, ...(await who.visit(back)) }
  }

  await t.test('when she links her identity, then it takes her password, and she signs in with it', async (t) => {
    const page = await signIn(api, 'ada')
    t.match(await post(page, '/identity', { password: 'wrong' }), { status: 400, message: /^password/ })
    t.match(await link(page, 'ada@id'), { status: 302, to: 'https://fanfare.test/settings/security' })
    t.match(await page.call({ path: `${API}/identity` }), { body: { issuer, hasPassword: true } })
    t.match((await eventsOf('ada')).at(-1), {
      type: 'UserIdentityLinked',
      data: { joined: false },
      metadata: { actor: { kind: 'user', id: ada.id } },
    })
    const { who } = await signInAs('ada@id')
    t.match(await sessionOf(who), { user: { name: 'ada', role: 'owner' } }, 'and keeps her role without a group')
    t.match(await link(page, 'ada@id'), { status: 302 })
    t.equal((await eventsOf('ada')).filter(({ type }) => type === 'UserIdentityLinked').length, 1)
  })

  await t.test('when the groups would take the role from the last owner, then she keeps it', async (t) => {
    people.set('ada@id', { groups: ['social'] })
    t.match(await sessionOf((await signInAs('ada@id')).who), { user: { role: 'owner' } })
    await givenUser(api, 'zoe', ada.workspaceId, 'owner')
    t.match(await sessionOf((await signInAs('ada@id')).who), { user: { role: 'author' } })
    people.set('ada@id', { groups: ['chiefs'] })
    t.match(await sessionOf((await signInAs('ada@id')).who), { user: { role: 'owner' } })
  })

  await t.test('when somebody else links the same identity, or she another one, then it is refused', async (t) => {
    const cy = await signIn(api, 'cy')
    t.match(await link(cy, 'ada@id'), { status: 409, text: /Another user has linked/ })
    t.match(await link(await signIn(api, 'ada'), 'cy@id'), { status: 409, text: /another identity/ })
  })

  await t.test('when two users link one identity at once, then it is that of one', async (t) => {
    people.set('shared', {})
    const pages = [await signIn(api, 'cy'), await signIn(api, 'zoe')]
    const both = await Promise.all(pages.map((page) => linking(page, 'shared')))
    const answers = await Promise.all(both.map(({ who, back }) => who.visit(back)))
    t.same(answers.map(({ status }) => status).sort(), [302, 409])
    const linked = [await findUser(api.world.db, userIdOf('cy')), await findUser(api.world.db, userIdOf('zoe'))]
    t.equal(linked.filter((row) => row?.identity).length, 1)
  })

  await t.test('when she has signed out meanwhile, then nothing is linked', async (t) => {
    await givenUser(api, 'dan', ada.workspaceId, 'author')
    const page = await signIn(api, 'dan')
    const { who, back } = await linking(page, 'cy@id')
    t.match(await page.call({ method: 'DELETE', path: `${API}/session` }), { status: 204 })
    t.match(await who.visit(back), { status: 400, text: /signed out/ })
    t.notOk(isIn(who))
    t.equal((await findUser(api.world.db, userIdOf('dan')))?.identity, null)
  })

  await t.test(
    'when two-step sign-in is on, then linking takes a code, and the provider’s step is enough',
    async (t) => {
      await givenUser(api, 'kim', ada.workspaceId, 'author')
      const page = await signIn(api, 'kim')
      const made = await post(page, '/totp/secret', {})
      const { secret } = z.object({ secret: z.string() }).parse(made.body)
      const codeFor = () => codeOf(keyOf(secret), Math.floor(clock.now() / STEP_MS))
      t.match(await post(page, '/totp', { password: PASSWORD, secret, code: codeFor() }), { status: 201 })
      for (const code of [undefined, '000000', codeFor()]) {
        t.match(await post(page, '/identity', { password: PASSWORD, ...(code && { code }) }), {
          status: 400,
          message: /^code/,
        })
      }
      await clock.advanceTo(clock.now() + 2 * STEP_MS)
      const begun = await post(page, '/identity', { password: PASSWORD, code: codeFor() })
      t.match(begun, { status: 201 })
      const [, value = ''] = /fanfare_sign_in=([^;]+)/.exec(begun.headers['set-cookie'] ?? '') ?? []
      const { url } = z.object({ url: z.url() }).parse(begun.body)
      people.set('kim@id', {})
      await visitor(api, new Map([['fanfare_sign_in', value]])).visit(await signInAt(url, 'kim@id'))
      t.match(await sessionOf((await signInAs('kim@id')).who), { user: { name: 'kim' } })
    },
  )

  await t.test('when the secret of the client is wrong, then she reads whom to tell', async (t) => {
    const signOn = signOnWith(t, issuer, { secret: 'wrong' })
    const server = await api.server({ dashboard: { singleSignOn: signOn } })
    const who = visitor(server)
    const answer = await who.visit(await signInAt((await who.visit(BEGIN)).to, 'ada@id'))
    t.match(answer, { status: 502, text: /OIDC_CLIENT_SECRET/ })
    t.notOk(isIn(who))
  })

  await t.test('when she unlinks it, then it is of no use', async (t) => {
    const page = await signIn(api, 'ada')
    t.match(await page.call({ method: 'DELETE', path: `${API}/identity` }), { status: 204 })
    t.match(await page.call({ method: 'DELETE', path: `${API}/identity` }), { status: 204 })
    people.set('ada@id', {})
    t.match(await signInAs('ada@id'), { status: 403, text: /Ask for an invitation/ })
  })
})

t.test('given users who are in several workspaces', async (t) => {
  const { api, people, ada, signInAs, sessionOf, isIn, usersOf } = await givenSignOn(t)
  const other = await givenUser(api, 'other')
  const joins = async (userId: string, workspaceId: string, name: string) => {
    const joined = { workspaceId, userId, name, role: 'reader' } as const
    const cause = causedBy(`${name} joins`)
    await handle(api.world, member, memberIdOf(userId, workspaceId), cause, (state) => joinWorkspace(state, joined))
    await until('both', 60_000, async () =>
      (await workspacesOf(api.world.db, userId)).length === 2 ? true : undefined,
    )
  }
  people.set('staff-7', { preferred_username: 'ben', groups: ['social'] })
  t.match((await signInAs('staff-7')).status, 302)
  const ben = userIdOf('ben')
  await joins(ben, other.workspaceId, 'ben')

  await t.test(
    'when one is removed where the groups lead, then they are in the other still, and do not come back',
    async (t) => {
      const owner = await signIn(api, 'ada')
      t.match(await owner.call({ method: 'DELETE', path: `/v1/users/${ben}` }), { status: 204 })
      people.set('staff-7', { preferred_username: 'new-name', groups: ['social'] })
      const { who } = await signInAs('staff-7')
      t.match(await sessionOf(who), { user: { id: ben, role: 'reader' }, workspaces: [{ id: other.workspaceId }] })
      t.same(await usersOf(), ['ada', 'ben', 'other'])
    },
  )

  await t.test('when one began elsewhere, then the groups give a role where they lead, and only there', async (t) => {
    await joins(other.id, ada.workspaceId, 'other')
    const identity = { issuer: 'https://issuer.test', subjectHash: await hashOf(api, ben) }
    await handle(api.world, user, ben, causedBy('gone'), unlinkIdentity)
    await handle(api.world, user, other.id, causedBy('linked'), (state) => linkIdentity(state, identity))
    await until('the link', 60_000, async () => ((await hashOf(api, other.id)) ? true : undefined))
    people.set('staff-7', { preferred_username: 'other', groups: ['leads'] })
    const { who } = await signInAs('staff-7')
    t.ok(isIn(who))
    const roles = Object.fromEntries(
      (await workspacesOf(api.world.db, other.id)).map(({ workspaceId, role }) => [workspaceId, role]),
    )
    t.same(roles, { [other.workspaceId]: 'owner', [ada.workspaceId]: 'manager' })
  })
})

const hashOf = async ({ world }: ApiWorld, userId: string) =>
  (await findUser(world.db, userId))?.identity?.subjectHash ?? ''

t.test('given two first sign-ins of one person at once, then there is one user', async (t) => {
  const { api, people, issuer, atProvider, isIn, usersOf } = await givenSignOn(t)
  const signOn = signOnWith(t, issuer, { roles: ROLES, workspace: 'of ada' })
  for (const names of [
    ['eva', 'eva'],
    ['fay', 'gus'],
  ]) {
    const others = await usersOf()
    const [login = ''] = names
    let asked = 0
    // The provider is asked for the name twice, and says another one.
    people.set(login, {
      groups: ['social'],
      get preferred_username() {
        asked += 1
        return names[asked % 2]
      },
    })
    const ways = [
      await atProvider(login),
      await atProvider(login, visitor(await api.server({ dashboard: { singleSignOn: signOn } }))),
    ]
    await Promise.all(ways.map(({ who, back }) => who.visit(back)))
    const users = (await usersOf()).filter((name) => !others.includes(name))
    t.equal(users.length, 1, String(users))
    t.ok(ways.every(({ who }) => isIn(who)))
  }
})

t.test('given a process that ends while somebody joins, when they sign in again, then there is one user', async (t) => {
  const { api, people, issuer, atProvider, signInAs, sessionOf, usersOf } = await givenSignOn(t)
  people.set('h', { preferred_username: 'hal', groups: ['social'] })
  const signOn = signOnWith(t, issuer, { roles: ROLES, workspace: 'of ada' })
  for (const isLost of [false, true]) {
    const dying = await dyingServer(
      { ...api, server: (parts) => api.server({ ...parts, dashboard: { singleSignOn: signOn } }) },
      1,
      isLost,
    )
    const { who, back } = await atProvider('h', visitor(dying))
    t.ok((await who.visit(back)).status >= 500)
    t.notOk(who.jar.has('fanfare_session'))
    await until('the event to be shown', 60_000, async () => !isLost || (await usersOf()).includes('hal') || undefined)
  }
  t.match(await sessionOf((await signInAs('h')).who), { user: { name: 'hal', role: 'author' } })
  t.same(await usersOf(), ['ada', 'hal'])
})

t.test(
  'given a provider that is not what it should be, then each fault has its words, and nobody is signed in',
  async (t) => {
    const { odd, issuer } = await givenOddProvider(t)
    const roles = ROLES
    const makeServer = async (secret?: string) => {
      const signOn = signOnWith(t, issuer, { roles, workspace: 'of ada', ...(secret !== undefined && { secret }) })
      return api.server({ dashboard: { singleSignOn: signOn } })
    }
    const api = await givenApi(t)
    await givenUser(api, 'ada')
    const attempt = async (is: Oddity) => {
      odd.is = is
      const who = visitor(await makeServer())
      const begun = await who.visit(BEGIN)
      if (begun.status !== 302) return { who, ...begun }
      const query = new URL(begun.to).searchParams
      odd.nonce = query.get('nonce') ?? ''
      const back = new URLSearchParams({ code: 'any', state: query.get('state') ?? '' })
      return { who, ...(await who.visit(`${CALLBACK}?${back}`)) }
    }
    t.match(await attempt({}), { status: 302 }, 'it can be as it should be')
    const now = Math.floor(Date.now() / 1_000)
    const refusal = (error: string): Oddity => ({
      token: (_, response) =>
        response
          .writeHead(error === 'invalid_client' ? 401 : 400, { 'content-type': 'application/json' })
          .end(JSON.stringify({ error })),
    })
    const cases: readonly (readonly [string, Oddity, number, RegExp])[] = [
      ['another nonce', { claims: { nonce: 'other' } }, 502, /does not belong to this sign-in/],
      ['no nonce', { claims: { nonce: undefined } }, 502, /does not belong/],
      ['another client', { claims: { aud: 'other' } }, 502, /does not belong/],
      ['another issuer in the token', { claims: { iss: 'https://evil.example' } }, 502, /does not belong/],
      ['another issuer', { issuer: 'https://evil.example' }, 502, /does not belong/],
      ['a forged signature', { forges: true }, 502, /does not belong/],
      ['a token of yesterday', { claims: { iat: now - 90_000, exp: now - 86_400 } }, 502, /clocks/],
      ['a token of tomorrow', { claims: { nbf: now + 86_400 } }, 502, /clocks/],
      ['a wrong secret', refusal('invalid_client'), 502, /OIDC_CLIENT_SECRET/],
      ['a used code', refusal('invalid_grant'), 400, /used or has expired/],
      ['another error', refusal('temporarily_unavailable'), 502, /answered with an error/],
      [
        'HTML',
        { token: (_, response) => response.setHeader('content-type', 'text/html').end('<h1>Hi</h1>') },
        503,
        /cannot be reached/,
      ],
      [
        'a huge answer',
        { token: (_, response) => response.setHeader('content-type', 'application/json').end('x'.repeat(5e6)) },
        503,
        /cannot be/,
      ],
      ['no answer', { token: () => undefined }, 503, /cannot be reached/],
      ['a broken connection', { token: (request) => request.socket.destroy() }, 503, /cannot be reached/],
      ['status 500', { token: (_, response) => response.writeHead(500).end() }, 503, /cannot be reached/],
      [
        'a redirect',
        { token: (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end() },
        503,
        /cannot be/,
      ],
      ['no discovery', { discovery: (_, response) => response.writeHead(404).end() }, 503, /cannot be reached/],
      [
        'HTML for discovery',
        { discovery: (_, response) => response.setHeader('content-type', 'text/html').end('<p>') },
        503,
        /cannot be/,
      ],
    ]
    for (const [name, is, status, words] of cases) {
      const answer = await attempt(is)
      t.match(answer, { status, text: words }, name)
      t.match(answer.text, /Try again/, name)
      t.notOk(answer.who.jar.has('fanfare_session'), name)
    }
    const gone = signOnWith(t, `http://127.0.0.1:${await freePort()}`)
    t.match(await visitor(await api.server({ dashboard: { singleSignOn: gone } })).visit(BEGIN), {
      status: 503,
      text: /cannot be reached/,
    })
    const misplaced = signOnWith(t, issuer, { roles, workspace: 'nowhere' })
    const server = await api.server({ dashboard: { singleSignOn: misplaced } })
    odd.is = { claims: { sub: 'new' } }
    const who = visitor(server)
    const query = new URL((await who.visit(BEGIN)).to).searchParams
    odd.nonce = query.get('nonce') ?? ''
    t.match(await who.visit(`${CALLBACK}?code=any&state=${query.get('state')}`), {
      status: 503,
      text: /OIDC_WORKSPACE/,
    })
  },
)

t.test('given read models that are behind, then no second user is made, and known users come in', async (t) => {
  const { api, people, signInAs, usersOf, isIn } = await givenSignOn(t)
  people.set('i', { preferred_username: 'ida', groups: ['social'] })
  t.equal((await signInAs('i')).status, 302)
  await api.stopProjector()
  await givenUserEvent(api)
  t.ok(isIn((await signInAs('i')).who))
  people.set('j', { preferred_username: 'jon', groups: ['social'] })
  t.match(await signInAs('j'), { status: 503, text: /catching up/ })
  t.notOk((await usersOf()).includes('jon'))
})

async function givenUserEvent({ world }: Awaited<ReturnType<typeof givenApi>>) {
  const id = '6b1a4dcb-8f3c-4f0e-9d8e-0f4f7a1c2b3d'
  const metadata = {
    at: new Date().toISOString(),
    actor: { kind: 'cli', id: 'me' },
    correlationId: id,
    causationId: id,
  } as const
  const name = 'user_01JZZZZZZZZZZZZZZZZZZZZZZZ'
  await world.log.append(`user-${name}`, [{ id, type: 'UserRemoved', data: {}, metadata }], -1)
}
