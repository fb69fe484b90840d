import t from 'tap'
import { workspacesBegunAs } from '../projections/models/workspaces.ts'
import { givenApi } from './support/api.ts'
import { givenUser, signIn } from './support/dashboard.ts'

/* The workspace itself: its name and its time zone. */

const PATH = '/dashboard/api/workspace'

t.test('given a workspace with slots, and another', async (t) => {
  const api = await givenApi(t)
  const { db } = api.world
  const { workspaceId } = await givenUser(api, 'ada')
  await givenUser(api, 'eve')
  const [ada, eve] = [await signIn(api, 'ada'), await signIn(api, 'eve')]
  const change = (body: object, by = ada) => by.call({ method: 'PATCH', path: PATH, body })
  const NINE = { day: 'monday', time: '09:00' }

  await t.test('when nothing was set, then it has no zone, and setting one makes no slots', async (t) => {
    t.match(await ada.call({ path: PATH }), { status: 200, body: { id: workspaceId, name: 'of ada', timezone: null } })
    t.match(await change({ timezone: 'Asia/Tokyo' }), { status: 200, body: { name: 'of ada', timezone: 'Asia/Tokyo' } })
    t.match(await ada.call({ path: '/v1/slots' }), { body: { timezone: 'Asia/Tokyo', default: [], platforms: {} } })
  })
  await t.test('when the zone changes, then the slots keep their times of the day', async (t) => {
    const plan = { timezone: 'Asia/Tokyo', default: [NINE], platforms: { x: [] } }
    t.match(await ada.call({ method: 'PUT', path: '/v1/slots', body: plan }), { status: 200 })
    t.match(await change({ timezone: 'Europe/Oslo' }), { status: 200, body: { timezone: 'Europe/Oslo' } })
    t.match(await ada.call({ path: '/v1/slots' }), { body: { ...plan, timezone: 'Europe/Oslo' } })
  })
  await t.test('when it is renamed, then only it has the new name, which the log encrypts', async (t) => {
    t.match(await change({ name: '  Åses bakery ' }), { status: 200, body: { name: 'Åses bakery' } })
    t.match((await ada.call({ path: '/dashboard/api/session' })).body, {
      workspace: { id: workspaceId, name: 'Åses bakery' },
      workspaces: [{ name: 'Åses bakery' }],
    })
    t.match(await eve.call({ path: PATH }), { body: { name: 'of eve', timezone: null } })
    t.match(await workspacesBegunAs(db, 'of ada'), [{ id: workspaceId, name: 'Åses bakery' }])
    const { rows } = await db.query<{ row: string }>(
      "select e::text as row from log.events e where type = 'WorkspaceRenamed'",
    )
    t.equal(rows.length, 1)
    t.notMatch(rows[0]?.row, 'bakery')
    t.match(await change({ name: 'Åses bakery' }), { status: 200 }, 'again')
    const again = await db.query("select 1 from log.events where type = 'WorkspaceRenamed'")
    t.equal(again.rowCount, 1, 'changes nothing')
  })
  await t.test('when what is asked for cannot be, then the error names the field, and nothing changes', async (t) => {
    for (const [body, message] of [
      [{ name: '' }, /^name must not be empty/],
      [{ name: '   ' }, /^name must not be empty/],
      [{ name: 'x'.repeat(10_000) }, /^name/],
      [{ name: 'a\u0000b' }, /^name must not contain the character U\+0000/],
      [{ timezone: 'Europe/Atlantis' }, /^timezone must be an IANA name/],
      [{ timezone: '' }, /^timezone must be an IANA name/],
      [{}, /needs a name, a timezone or both/],
      [{ name: 'New', timezone: 'nowhere' }, /^timezone /],
    ] as const) {
      t.match(await change(body), { status: 400, code: 'invalid_request', message })
    }
    for (const name of ['of eve', (await givenUser(api, 'zoe')).workspaceId]) {
      t.match(await change({ name }), { status: 409, message: /^name is that of another workspace/ })
    }
    t.match(await ada.call({ path: PATH }), { body: { name: 'Åses bakery', timezone: 'Europe/Oslo' } })
  })
  await t.test('when an author or an API key asks, then they read it, but change nothing', async (t) => {
    const { name } = await givenUser(api, 'ben', workspaceId, 'author')
    const ben = await signIn(api, name)
    t.match(await ben.call({ path: PATH }), { status: 200, body: { name: 'Åses bakery' } })
    t.match(await change({ name: 'Bens' }, ben), { status: 403, code: 'insufficient_scope' })
    const key = await api.key({ workspaceId })
    t.match(await api.call({ method: 'PATCH', path: PATH, key, body: { name: 'Bots' } }), { status: 401 })
  })
})
