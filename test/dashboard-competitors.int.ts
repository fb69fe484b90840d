import t from 'tap'
import * as z from 'zod'
import { ANALYTICS_PLATFORMS } from '../domain/analytics/metrics.ts'
import { givenApi } from './support/api.ts'
import { givenUser, signIn } from './support/dashboard.ts'

const API = '/dashboard/api'
const platformsSchema = z.object({
  platforms: z.array(z.object({ key: z.string(), hasNumbers: z.boolean(), hasCompetitors: z.boolean() })),
})

t.test('given an owner with an account on Bluesky', async (t) => {
  const api = await givenApi(t)
  const ada = await givenUser(api, 'ada')
  const page = await signIn(api, 'ada')
  await api.world.account('bluesky', ada.workspaceId)
  const path = `${API}/competitors`
  const add = (body: object, by = page) => by.call({ method: 'POST', path, body })
  const listed = async (by = page) => (await by.call({ path: '/v1/analytics/competitors' })).body['competitors']

  await t.test('when the platforms are listed, then it says where there is something to compare', async (t) => {
    const { platforms } = platformsSchema.parse((await page.call({ path: `${API}/platforms` })).body)
    const keys = (of: 'hasNumbers' | 'hasCompetitors') => platforms.filter((each) => each[of]).map(({ key }) => key)
    t.same(keys('hasNumbers').toSorted(), [...ANALYTICS_PLATFORMS].toSorted())
    t.ok(keys('hasCompetitors').includes('bluesky') && !keys('hasCompetitors').includes('pinterest'))
  })

  await t.test('when there is no such account, or none to look with, then nothing is added', async (t) => {
    t.match(await add({ platform: 'bluesky', handle: 'nobody.example' }), { status: 404, code: 'not_found' })
    t.match(await add({ platform: 'x', handle: 'rival' }), { status: 409, code: 'failed_precondition' })
    t.match(await add({ platform: 'pinterest', handle: 'rival' }), { status: 400, code: 'invalid_request' })
    t.match(await add({ platform: 'bluesky', handle: '' }), { status: 400, code: 'invalid_request' })
    t.same(await listed(), [])
  })

  await t.test('when one is added twice, then it is there once, and only in this workspace', async (t) => {
    const first = await add({ platform: 'bluesky', handle: '@rival.example' })
    t.match(first, { status: 201, body: { platform: 'bluesky', handle: 'rival.example' } })
    t.match(await add({ platform: 'bluesky', handle: 'rival.example' }), {
      status: 201,
      body: { id: first.body['id'] },
    })
    t.match(await listed(), [{ id: first.body['id'], handle: 'rival.example' }])

    await givenUser(api, 'eve')
    const other = await signIn(api, 'eve')
    t.same(await listed(other), [])
    const its = `${path}/${String(first.body['id'])}`
    t.match(await other.call({ method: 'DELETE', path: its }), { status: 403, code: 'forbidden' })
    await givenUser(api, 'ben', ada.workspaceId, 'author')
    const ben = await signIn(api, 'ben')
    t.match(await ben.call({ method: 'DELETE', path: its }), { status: 403, code: 'insufficient_scope' })
    t.match(await add({ platform: 'bluesky', handle: 'rival.example' }, ben), {
      status: 403,
      code: 'insufficient_scope',
    })

    t.match(await page.call({ method: 'DELETE', path: its }), { status: 204 })
    t.same(await listed(), [])
    t.match(await page.call({ method: 'DELETE', path: its }), { status: 404, code: 'not_found' })
  })
})
