import t from 'tap'
import * as z from 'zod'
import { resourceId } from '../infra/runtime/ids.ts'
import { DAY, HOUR, published } from './support/analytics.ts'
import { givenApi } from './support/api.ts'
import { ids } from './support/sandbox.ts'
import { givenProcess } from './support/world.ts'

const figure = z.number().optional()
const figures = { posts: z.number(), views: figure, interactions: figure }
const summarySchema = z.object({
  totals: z.object(figures),
  platforms: z.array(z.object({ platform: z.string(), ...figures, engagementRate: figure })),
})
const dailySchema = z.object({
  daily: z.array(z.object({ date: z.string(), platform: z.string(), ...figures, likes: figure, comments: figure })),
})
const hoursSchema = z.object({
  hours: z.array(
    z.object({
      weekday: z.string(),
      hour: z.number(),
      posts: z.number(),
      medianViews: figure,
      medianInteractions: figure,
    }),
  ),
})
const topSchema = z.object({ posts: z.array(z.object({ platform: z.string(), interactions: figure })) })

t.test('given posts on two platforms on two days', async (t) => {
  const api = await givenApi(t)
  const { world } = api
  const service = await givenProcess(world, { metrics: true })
  const key = await api.key()
  const get = async (path: string, as = key) => api.call({ path: `/v1/analytics/${path}`, key: as })
  const [onX, onBluesky] = [await world.account('x'), await world.account('bluesky')]
  // The first half hour of a day in UTC, which is still the day before in New York.
  const midnight = Math.ceil(world.clock.now() / DAY) * DAY + HOUR / 2
  await world.clock.advanceTo(midnight)
  await published(world, service, { x: [onX], bluesky: [onBluesky] })
  await world.clock.advanceTo(midnight + 5 * HOUR)
  await published(world, service, { x: [onX] })
  await world.clock.advanceTo(midnight + DAY)
  await service.step()
  const day = (offset: number) => new Date(midnight + offset * DAY).toISOString().slice(0, 10)

  await t.test('when the days are asked for, then each platform has its own, and no number is made up', async (t) => {
    const { daily } = dailySchema.parse((await get('daily?days=7')).body)
    t.match(daily, [
      { date: day(0), platform: 'bluesky', posts: 1, views: undefined, interactions: Number, likes: Number },
      { date: day(0), platform: 'x', posts: 2, views: Number, interactions: Number, comments: Number },
    ])
    t.equal(daily.length, 2)
    const { totals, platforms } = summarySchema.parse((await get('summary?days=7')).body)
    t.same(platforms.map(({ platform }) => platform).toSorted(), ['bluesky', 'x'])
    t.equal(totals.posts, 3)
    t.equal(totals.views, daily[1]?.views)
    t.equal(totals.interactions, (daily[0]?.interactions ?? 0) + (daily[1]?.interactions ?? 0))
    const ofX = platforms.find(({ platform }) => platform === 'x')
    t.equal(ofX?.engagementRate, (ofX?.interactions ?? 0) / (ofX?.views ?? 0))
    t.equal(platforms.find(({ platform }) => platform === 'bluesky')?.engagementRate, undefined)
  })

  await t.test('when they are asked for in another zone, then a night counts as the day before', async (t) => {
    const { daily } = dailySchema.parse((await get('daily?days=7&timezone=America/New_York')).body)
    t.same(
      daily.map(({ date, platform, posts }) => [date, platform, posts]),
      [
        [day(-1), 'bluesky', 1],
        [day(-1), 'x', 1],
        [day(0), 'x', 1],
      ],
    )
  })

  await t.test('when the hours are asked for, then all hours with a post are there, best first', async (t) => {
    const { hours } = hoursSchema.parse((await get('hours?days=7')).body)
    const weekday = new Date(midnight).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }).toLowerCase()
    t.same(hours.map(({ weekday, hour, posts }) => `${weekday} ${hour} ${posts}`).toSorted(), [
      `${weekday} 0 2`,
      `${weekday} 5 1`,
    ])
    const medians = hours.map(({ medianInteractions = -1 }) => medianInteractions)
    t.same(
      medians,
      medians.toSorted((one, other) => other - one),
    )
    const { hours: there } = hoursSchema.parse((await get('hours?days=7&timezone=Asia/Kolkata')).body)
    t.same(there.map(({ hour }) => hour).toSorted(), [11, 6], 'at 6:00 and 11:00')
  })

  await t.test('when only a platform or an account is asked for, then the others are left out', async (t) => {
    for (const only of ['platform=bluesky', `accountId=${onBluesky}`, `platform=bluesky&accountId=${onBluesky}`]) {
      const { daily } = dailySchema.parse((await get(`daily?${only}`)).body)
      t.match(daily, [{ platform: 'bluesky', posts: 1 }], only)
      const { posts } = topSchema.parse((await get(`top-posts?sort=interactions&${only}`)).body)
      t.match(posts, [{ platform: 'bluesky', interactions: Number }], only)
      const { totals } = summarySchema.parse((await get(`summary?${only}`)).body)
      t.match(totals, { posts: 1, views: undefined }, only)
    }
    t.same((await get(`daily?platform=x&accountId=${onBluesky}`)).body['daily'], [])
    const { posts } = topSchema.parse((await get('top-posts?sort=interactions')).body)
    t.equal(posts.length, 3, 'posts without views can be ranked by what they have')
  })

  await t.test('when a past day is asked about, then only what was known then counts', async (t) => {
    const { daily } = dailySchema.parse((await get(`daily?days=1&asOf=${day(0)}`)).body)
    const known = daily.reduce((sum, { interactions = 0 }) => sum + interactions, 0)
    const now = dailySchema.parse((await get('daily?days=7')).body).daily
    t.ok(known <= now.reduce((sum, { interactions = 0 }) => sum + interactions, 0))
    t.same((await get(`daily?days=7&asOf=${day(-2)}`)).body['daily'], [])
  })

  await t.test('when something else is asked for, then it is refused', async (t) => {
    const stranger = await api.key({ workspaceId: resourceId('ws', ids.ulid()) })
    for (const path of ['daily', 'hours']) {
      t.match(await get(`${path}?accountId=${onX}`, stranger), { status: 403, code: 'forbidden' })
      t.same((await get(path, stranger)).body[path], [])
      t.match(await get(`${path}?platform=linkedin`), { status: 400, code: 'invalid_request' })
      t.match(await get(`${path}?timezone=Mars/Olympus`), { status: 400, code: 'invalid_request' })
      t.match(await get(`${path}?asOf=2999-01-01`), { status: 400, code: 'invalid_request' })
      const blind = await api.key({ scopes: ['posts:read'] })
      t.match(await get(path, blind), { status: 403, code: 'insufficient_scope' })
    }
  })
})
