import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { addUser, changeRoleOf, removeUserOf } from '../app/cli/users.ts'
import type { Core } from '../app/wiring/core.ts'
import { handle } from '../commands/handle.ts'
import { closeWorkspace } from '../commands/close-workspace.ts'
import { joinWorkspace, roleIn } from '../commands/member.ts'
import { member, memberIdOf } from '../domain/workspace/member.ts'
import { PERMISSIONS, USER_ROLES, type UserRole } from '../domain/workspace/role.ts'
import { workspace } from '../domain/workspace/workspace.ts'
import { START } from '../event-log/event-log.ts'
import { createPasswords } from '../infra/postgres/passwords.ts'
import { codeOf, keyOf, newTotpSecret } from '../infra/runtime/one-time-code.ts'
import { progressOf } from '../projections/engine/tables.ts'
import { findUser, listUsers } from '../projections/models/users.ts'
import { CHEAP, givenApi, type ApiWorld } from './support/api.ts'
import { cookieOf, dyingServer, givenUser, listen, PASSWORD, signInCall, unsigned } from './support/dashboard.ts'
import { readUntilCaughtUp } from './support/event-log-helpers.ts'
import { ids } from './support/sandbox.ts'
import { until } from './support/service-process.ts'
import { DASHBOARD, tabOf, type Tab } from './support/tab.ts'
import { causedBy, givenProcess, vaultOf } from './support/world.ts'

/* Users who are in several workspaces (decision 76). */

const TEAM = '/v1'

/** A browser in which a user is signed in. */
async function browserOf(api: ApiWorld, name: string) {
  const answer = await api.call(unsigned('/session', { name, password: PASSWORD }))
  assert.equal(answer.status, 200, answer.text)
  const cookie = cookieOf(answer)
  const tab = async (): Promise<Tab> => {
    const opened = await tabOf(api, cookie)
    assert(opened, `${name} is signed in`)
    return opened
  }
  return { cookie, tab, maybe: () => tabOf(api, cookie) }
}

type Browser = Awaited<ReturnType<typeof browserOf>>

async function invite(tab: Tab, role: UserRole): Promise<string> {
  const answer = await tab.call({ method: 'POST', path: `${TEAM}/invitations`, body: { role } })
  assert.equal(answer.status, 201, answer.text)
  return new URL(String(answer.body['link'])).hash.slice(1)
}

const remove = (tab: Tab, id: string) => tab.call({ method: 'DELETE', path: `${TEAM}/users/${id}` })
const setRole = (tab: Tab, id: string, role: UserRole) =>
  tab.call({ method: 'PATCH', path: `${TEAM}/users/${id}`, body: { role } })
const draft = (tab: Tab, caption: string) => tab.call({ method: 'POST', path: '/v1/drafts', body: { caption } })

/** Two clients, each with an owner, and a freelancer who writes for both. */
async function givenFreelancer(api: ApiWorld) {
  const left = await givenUser(api, 'left.owner')
  const right = await givenUser(api, 'right.owner')
  const fred = await givenUser(api, 'fred', left.workspaceId, 'author')
  const [ofLeft, ofRight] = [await browserOf(api, 'left.owner'), await browserOf(api, 'right.owner')]
  const browser = await browserOf(api, 'fred')
  const joined = await (await browser.tab()).join(await invite(await ofRight.tab(), 'manager'))
  assert.equal(joined.status, 200, joined.text)
  return { left, right, fred, ofLeft, ofRight, browser }
}

function coreOf({ world }: ApiWorld): Core {
  const waitFor = (position: bigint) =>
    until('the read models', 60_000, async () => ((await progressOf(world.db)).position >= position ? true : undefined))
  return {
    ...{ ...world, ids, vault: vaultOf(world), passwords: createPasswords(world.db, CHEAP), seen: { waitFor } },
  } as unknown as Core
}

t.test('given a user who joins a second workspace', async (t) => {
  const api = await givenApi(t)
  const { left, right, fred, ofLeft, ofRight, browser } = await givenFreelancer(api)

  await t.test('then the session shows it, with the role there, and lists both', async (t) => {
    t.match((await browser.tab()).session, {
      user: { id: fred.id, name: 'fred', role: 'manager' },
      workspace: { id: right.workspaceId },
      workspaces: [
        { id: left.workspaceId, role: 'author' },
        { id: right.workspaceId, role: 'manager' },
      ],
    })
  })

  await t.test('when it shows another, then a tab of the one before reads and writes nothing there', async (t) => {
    const before = await browser.tab()
    t.match(await draft(before, 'for right'), { status: 201 })
    const shown = await before.show(left.workspaceId)
    t.match(shown, { status: 200, body: { workspace: { id: left.workspaceId }, user: { role: 'author' } } })
    t.match(await draft(before, 'also for right'), { status: 403, code: 'forbidden' })
    const now = await browser.tab()
    t.match(await now.call({ path: '/v1/drafts' }), { body: { drafts: [] } })
    t.match(await draft(now, 'for left'), { status: 201 })
    t.match(await now.call({ path: `${DASHBOARD}/keys` }), { status: 403 }, 'an author here')
    t.match(await now.show('ws_none'), { status: 404 })
    t.match(await now.show(right.workspaceId), { status: 200 })
    t.match(await (await browser.tab()).call({ path: '/v1/drafts' }), { body: { drafts: [{ caption: 'for right' }] } })
  })

  await t.test('when it shows another, then what listens to the one before ends', async (t) => {
    const port = await api.listen()
    const live = await listen(`http://127.0.0.1:${port}${DASHBOARD}/live`, browser)
    await live.begun()
    t.match(await (await browser.tab()).show(left.workspaceId), { status: 200 })
    await live.ended()
    t.match(await (await browser.tab()).show(right.workspaceId), { status: 200 })
  })

  await t.test('when they join where they are, or by a used link, then it is refused', async (t) => {
    const tab = await browser.tab()
    const token = await invite(await ofLeft.tab(), 'reader')
    t.match(await tab.join(token), { status: 409, message: 'You are in this workspace already.' })
    t.match(await api.call(unsigned('/invitation', { token })), { status: 200 }, 'the link can still be used')
    t.match(await tab.join('fni_nothing'), { status: 404 })
    const other = await invite(await ofRight.tab(), 'reader')
    t.match(await api.call(unsigned('/join', { token: other, name: 'fred', password: PASSWORD })), { message: /taken/ })
    t.match(await api.call(unsigned('/join', { token: other, name: 'nina', password: PASSWORD })), { status: 200 })
    t.match(await (await browserOf(api, 'left.owner').then((one) => one.tab())).join(other), { message: /been used/ })
  })

  await t.test('when an owner of one would take the account, then only who manages them everywhere may', async (t) => {
    const links = (tab: Tab) => tab.call({ method: 'POST', path: `${DASHBOARD}/users/${fred.id}/reset-link` })
    const totp = (tab: Tab) => tab.call({ method: 'DELETE', path: `${DASHBOARD}/users/${fred.id}/totp` })
    for (const owner of [await ofLeft.tab(), await ofRight.tab()]) {
      for (const ask of [links, totp]) t.match(await ask(owner), { status: 403, message: /in other workspaces too/ })
    }
    const boss = await givenUser(api, 'boss', left.workspaceId)
    const ofBoss = await browserOf(api, 'boss')
    t.match(await (await ofBoss.tab()).join(await invite(await ofRight.tab(), 'owner')), { status: 200 })
    const made = await links(await ofBoss.tab())
    t.match(made, { status: 201 })
    const token = new URL(String(made.body['link'])).hash.slice(1)
    t.match(await api.call(unsigned('/reset-link', { token })), { status: 200, body: { user: { name: 'fred' } } })
    t.match(await setRole(await ofRight.tab(), boss.id, 'author'), { status: 200 })
    t.match(await links(await ofBoss.tab()), { status: 403 })
    const reset = await api.call(unsigned('/reset', { token, password: 'taken over, almost' }))
    t.match(reset, { status: 409, message: /can no longer/ })
    t.match(await remove(await ofRight.tab(), boss.id), { status: 204 })
    t.match(await remove(await ofLeft.tab(), boss.id), { status: 204 })
    t.match(await api.call(signInCall('boss', PASSWORD)), { status: 401 })
  })

  await t.test('when they are removed from where they began, then they are in the other one still', async (t) => {
    const showing = await browser.tab()
    t.match(await showing.show(left.workspaceId), { status: 200 })
    const tab = await browser.tab()
    t.match(await remove(await ofLeft.tab(), fred.id), { status: 204 })
    t.match(await draft(tab, 'too late'), { status: 403, code: 'forbidden' }, 'nor does it arrive in the other one')
    const now = await browser.tab()
    t.match(now.session, { workspace: { id: right.workspaceId }, workspaces: [{ id: right.workspaceId }] })
    t.match(await api.call(signInCall('fred', PASSWORD)), { status: 200 })
    t.match(await (await ofLeft.tab()).call({ path: `${TEAM}/users` }), { body: { users: [{ name: 'left.owner' }] } })
    t.match(await remove(await ofLeft.tab(), fred.id), { status: 403 })
    const names = (await listUsers(api.world.db, left.workspaceId)).map(({ name }) => name)
    t.ok(names.includes('fred'), 'what they did there stays under their name')
  })

  await t.test('when they join it again, and leave both, then the account ends', async (t) => {
    const token = await invite(await ofLeft.tab(), 'reader')
    t.match(await (await browser.tab()).join(token), { status: 200, body: { user: { role: 'reader' } } })
    const again = await (await browser.tab()).join(token)
    t.match(again, { status: 200, body: { workspace: { id: left.workspaceId } } }, 'the answer may have been lost')
    t.match(await remove(await ofRight.tab(), fred.id), { status: 204 })
    t.match((await browser.tab()).session.workspaces, [{ id: left.workspaceId }])
    const used = await invite(await ofRight.tab(), 'reader')
    t.match(await remove(await ofLeft.tab(), fred.id), { status: 204 })
    t.equal(await browser.maybe(), undefined)
    t.match(await api.call(signInCall('fred', PASSWORD)), { status: 401 })
    t.match(await api.call(unsigned('/join', { token: used, name: 'fred', password: PASSWORD })), { message: /taken/ })
    t.equal(await findUser(api.world.db, fred.id), undefined)
  })
})

t.test('given a manager who is removed from a workspace, but not from others', async (t) => {
  const api = await givenApi(t)
  const { left, right, fred, ofRight, browser } = await givenFreelancer(api)
  const { log } = api.world
  const token = await invite(await browser.tab(), 'reader')
  const call = { method: 'POST', path: '/v1/drafts', body: { caption: 'by fred', visibility: 'workspace' } } as const
  t.match(await (await browser.tab()).call(call), { status: 201 })
  t.equal(await roleIn(log, fred.id, right.workspaceId), 'manager')
  t.match(await remove(await ofRight.tab(), fred.id), { status: 204 })

  t.match(await api.call(unsigned('/invitation', { token })), { status: 409, message: /can no longer invite/ })
  t.match(await api.call(unsigned('/join', { token, name: 'nina', password: PASSWORD })), { status: 409 })
  // What review links and notification channels ask.
  t.equal(await roleIn(log, fred.id, right.workspaceId), undefined)
  t.equal(await roleIn(log, fred.id, left.workspaceId), 'author')
  const activity = await (await ofRight.tab()).call({ path: '/v1/activity?actor=fred' })
  t.match(
    activity.body,
    { activity: [{ by: { name: 'fred' } }] },
    'by name, also of somebody whose account is elsewhere',
  )
})

t.test('given a process that dies at any append of joining, then the same person can go on', async (t) => {
  const api = await givenApi(t)
  const { workspaceId } = await givenUser(api, 'ada')
  const owner = await browserOf(api, 'ada')
  let points = 0
  for (const isLost of [false, true]) {
    for (let at = 1; ; at += 1) {
      const name = `at${at}.${isLost ? 'after' : 'before'}`
      const { id } = await givenUser(api, name)
      const browser = await browserOf(api, name)
      const token = await invite(await owner.tab(), 'author')
      const server = await dyingServer(api, at, isLost)
      const tab = await tabOf(server, browser.cookie)
      const cut = await tab?.join(token)
      if (cut?.status === 200) break
      points += 1
      t.equal(cut?.status, 500)
      if (at > 1 || isLost) {
        const other = await browserOf(api, 'ada')
        t.match(await api.call(unsigned('/join', { token, name: `${name}.else`, password: PASSWORD })), { status: 409 })
        t.ok(await other.maybe())
      }
      const joined = await (await browser.tab()).join(token)
      t.match(joined, { status: 200, body: { workspace: { id: workspaceId }, user: { role: 'author' } } }, name)
      const stream = `member-${memberIdOf(id, workspaceId)}`
      const events = (await readUntilCaughtUp(api.world.log, START)).filter((event) => event.stream === stream)
      t.equal(events.length, 1, `${name} joined once`)
    }
  }
  t.equal(points, 4)
})

t.test('given the command line', async (t) => {
  const api = await givenApi(t)
  const { left, right, fred } = await givenFreelancer(api)
  const core = coreOf(api)

  await t.test('when somebody is in several workspaces, then one of them is named', async (t) => {
    await t.rejects(changeRoleOf(core, 'fred', 'reader'), { message: /several workspaces .*--workspace/ })
    await t.rejects(removeUserOf(core, 'fred'), { message: /several workspaces/ })
    await t.rejects(removeUserOf(core, 'fred', 'ws_none'), { code: 'not_found' })
    t.match(await changeRoleOf(core, 'fred', 'reader', right.workspaceId), { id: fred.id, role: 'reader' })
    const roles = async (id: string) => (await listUsers(api.world.db, id)).map(({ name, role }) => `${name} ${role}`)
    t.same(await roles(right.workspaceId), ['fred reader', 'right.owner owner'])
    t.same(await roles(left.workspaceId), ['fred author', 'left.owner owner'])
    t.match(await removeUserOf(core, 'fred', left.workspaceId), { removed: true })
    t.match(await findUser(api.world.db, fred.id), { workspaceId: right.workspaceId })
  })

  await t.test('when a user with an account is added, then they get no password', async (t) => {
    const added = { workspace: left.workspaceId, name: 'fred', role: 'author' } as const
    await t.rejects(addUser(core, { ...added, password: PASSWORD }), { message: /leave the password out/ })
    t.same(await addUser(core, added), { id: fred.id, name: 'fred', role: 'author' })
    await t.rejects(addUser(core, added), { message: /in the workspace already/ })
    t.match(await api.call(signInCall('fred', PASSWORD)), { status: 200 })
  })

  await t.test('when the name is given to somebody else, then they are not where the first one was', async (t) => {
    const { workspaceId } = await givenUser(api, 'third.owner')
    for (const one of [left.workspaceId, right.workspaceId]) await removeUserOf(core, 'fred', one)
    // As if they had joined while the account ended.
    const joined = { workspaceId: right.workspaceId, userId: fred.id, name: 'fred', role: 'owner' } as const
    const orphan = memberIdOf(fred.id, right.workspaceId)
    const { position = START } = await handle(api.world, member, orphan, causedBy('orphan'), (state) =>
      joinWorkspace(state, joined),
    )
    await core.seen.waitFor(position)
    t.match(await api.call(signInCall('fred', PASSWORD)), { status: 401 })
    t.match(await addUser(core, { workspace: workspaceId, name: 'fred', password: PASSWORD }), { id: fred.id })
    const browser = await browserOf(api, 'fred')
    t.match((await browser.tab()).session.workspaces, [{ id: workspaceId }])
    t.equal((await browser.tab()).session.workspaces.length, 1)
  })
})

t.test(
  'given a user of two workspaces with two-step sign-in, when one is erased, then all stays in the other',
  async (t) => {
    const api = await givenApi(t)
    const { left, right, fred, browser } = await givenFreelancer(api)
    t.match(await (await browser.tab()).show(left.workspaceId), { status: 200 })
    const tab = await browser.tab()
    const secret = newTotpSecret()
    const code = codeOf(keyOf(secret), Math.floor(api.world.clock.now() / 30_000))
    const enabled = await tab.call({
      method: 'POST',
      path: `${DASHBOARD}/totp`,
      body: { password: PASSWORD, secret, code },
    })
    t.match(enabled, { status: 201 })
    const [recovery] = enabled.body['recoveryCodes'] as string[]
    await draft(tab, 'of left')

    const service = await givenProcess(api.world)
    await handle(api.world, workspace, left.workspaceId, causedBy(ids.token()), (state) =>
      closeWorkspace(state, 'of left.owner'),
    )
    await service.drain()
    t.match((await browser.tab()).session, {
      user: { name: 'fred', role: 'manager' },
      workspace: { id: right.workspaceId },
      workspaces: [{ id: right.workspaceId }],
    })
    t.match(await api.call(signInCall('fred', PASSWORD)), { status: 200, body: { status: 'totp_required' } })
    const call = signInCall('fred', PASSWORD)
    t.match(await api.call({ ...call, body: { name: 'fred', password: PASSWORD, code: recovery } }), { status: 200 })
    t.match(await api.call(signInCall('left.owner', PASSWORD)), { status: 401 })
    const events = await readUntilCaughtUp(api.world.log, START)
    t.ok(events.some(({ stream, type }) => stream === `user-${fred.id}` && type === 'UserLeftWorkspace'))
  },
)

/** What the model knows of a user: workspaces with roles, in the order in which they were joined. */
interface Person {
  readonly name: string
  readonly id: string
  readonly roles: Map<string, UserRole>
  shows: string | undefined
  hasEnded: boolean
}

const step = fc.record({
  what: fc.constantFrom('join', 'join', 'remove', 'role', 'show', 'write', 'write', 'reload'),
  who: fc.nat(2),
  where: fc.nat(2),
  role: fc.constantFrom(...USER_ROLES),
})

t.test('given any joins, removals, changes and switches, then nobody does more than they may now', async (t) => {
  const api = await givenApi(t, { dashboard: { perMinute: 1_000_000 } })
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
      round += 1
      const owners: { workspaceId: string; browser: Browser }[] = []
      for (const n of [0, 1, 2]) {
        const { workspaceId } = await givenUser(api, `owner${round}.${n}`)
        owners.push({ workspaceId, browser: await browserOf(api, `owner${round}.${n}`) })
      }
      const people: (Person & { browser: Browser; stale: Tab })[] = []
      for (const n of [0, 1, 2]) {
        const name = `p${round}.${n}`
        const { workspaceId } = owners[n] ?? assert.fail()
        const { id } = await givenUser(api, name, workspaceId, 'author')
        const browser = await browserOf(api, name)
        const roles = new Map<string, UserRole>([[workspaceId, 'author']])
        people.push({ name, id, roles, shows: undefined, hasEnded: false, browser, stale: await browser.tab() })
      }
      const current = ({ roles, shows }: Person) =>
        shows !== undefined && roles.has(shows) ? shows : [...roles.keys()][0]

      for (const [nth, { what, who, where, role }] of steps.entries()) {
        const person = people[who] ?? assert.fail()
        const { workspaceId, browser: ofOwner } = owners[where] ?? assert.fail()
        const owner = await ofOwner.tab()
        const { roles, id, browser } = person
        const now = current(person)
        if (what === 'join') {
          const token = await invite(owner, role)
          const tab = await browser.maybe()
          assert.equal(tab === undefined, person.hasEnded)
          const answer = await tab?.join(token)
          if (!answer) continue
          assert.equal(answer.status, roles.has(workspaceId) ? 409 : 200, answer.text)
          if (!roles.has(workspaceId)) {
            roles.set(workspaceId, role)
            person.shows = workspaceId
          }
        } else if (what === 'remove') {
          const answer = await remove(owner, id)
          assert.equal(answer.status === 204, roles.delete(workspaceId), answer.text)
          person.hasEnded ||= roles.size === 0
        } else if (what === 'role') {
          const answer = await setRole(owner, id, role)
          assert.equal(answer.status === 200, roles.has(workspaceId), answer.text)
          if (roles.has(workspaceId)) roles.set(workspaceId, role)
        } else if (what === 'show') {
          const answer = await (await browser.maybe())?.show(workspaceId)
          assert.equal(answer?.status, person.hasEnded ? undefined : roles.has(workspaceId) ? 200 : 404)
          if (answer?.status === 200) person.shows = workspaceId
        } else if (what === 'write') {
          const caption = `${round}.${nth}`
          const { stale } = person
          const answer = await draft(stale, caption)
          const place = stale.session.workspace.id
          const may = now === place && PERMISSIONS[roles.get(place) ?? 'reader'].includes('posts:write')
          assert.equal(answer.status, person.hasEnded ? 401 : may ? 201 : 403, answer.text)
          const sql = "select workspace_id as place from read.drafts where content->>'caption' = $1"
          const { rows } = await api.world.db.query<{ place: string }>(sql, [caption])
          assert.deepEqual(rows, may ? [{ place }] : [])
        } else {
          person.stale = (await browser.maybe()) ?? person.stale
        }
        const tab = await browser.maybe()
        assert.equal(tab?.session.workspace.id, current(person))
        assert.deepEqual(new Map(tab?.session.workspaces.map((one) => [one.id, one.role])), new Map(roles))
        const users = (await owner.call({ path: `${TEAM}/users` })).body['users'] as { id: string; role: string }[]
        const there = people.filter((one) => one.roles.has(workspaceId))
        assert.deepEqual(
          new Map(users.filter((one) => people.some(({ id }) => id === one.id)).map((one) => [one.id, one.role])),
          new Map(there.map((one) => [one.id, one.roles.get(workspaceId)])),
        )
      }
    }),
    { numRuns: 8 },
  )
  t.ok(round >= 8)
})
