import t from 'tap'
import * as z from 'zod'
import { demoPosts } from '../app/cli/demo-posts.ts'
import { printedBy } from './support/dashboard-page.ts'
import { givenHome, startProcess, until } from './support/service-process.ts'

/* The first start as a user has it, with the invented history of the demo. */

const results = z.record(z.string(), z.array(z.object({ url: z.string() })))
const liveNumbers = z.object({ accounts: z.array(z.object({ error: z.string().optional() })) })
const posts = z.object({ posts: z.array(z.object({ id: z.string(), origin: z.string(), publishResults: results })) })
const summary = z.object({
  totals: z.object({ posts: z.number(), views: z.number(), interactions: z.number(), engagementRate: z.number() }),
})
const accounts = z.object({ accounts: z.record(z.string(), z.array(z.object({ id: z.string() }))) })
const ranked = z.object({
  posts: z.array(z.object({ platform: z.string(), origin: z.string(), views: z.number().optional() })),
})

const demoTotal = demoPosts(Date.now()).reduce((sum, { reach }) => sum + Object.keys(reach).length, 0)

t.test('given a first start with the history of the demo, which was killed while it was written', async (t) => {
  const home = await givenHome(t, { DEMO_HISTORY: 'on' })
  const killed = startProcess(home)
  await until('the history to begin', 60_000, async () => {
    const asked = await fetch(`http://127.0.0.1:${home.sandboxPort}/_control/posts?platform=x`).catch(() => undefined)
    return asked && z.array(z.unknown()).parse(await asked.json()).length > 0 ? true : undefined
  })
  killed.child.kill('SIGKILL')
  await killed.ended
  t.notMatch(killed.output(), /Demo key/)

  const service = startProcess(home)
  t.teardown(async () => {
    service.child.kill('SIGTERM')
    await service.ended
  })
  await service.ready
  await until('the key', 30_000, async () => service.output().includes('Check the result') || undefined)
  const { api, sandbox } = printedBy(service, home)
  const totals = async (query: string) => summary.parse(await api(`/analytics/summary?${query}`)).totals

  t.test('when it is started again, then each post is there once, with numbers and earlier ones', async (t) => {
    const all = await totals('days=90')
    t.equal(all.posts, demoTotal)
    t.ok(all.views > 100_000 && all.interactions > 5_000, JSON.stringify(all))
    const onX = z.array(z.unknown()).parse(await (await fetch(`${sandbox}/_control/posts?platform=x`)).json())
    t.equal(onX.length, demoPosts(Date.now()).length)
    const asOf = new Date(Date.now() - 28 * 86_400_000).toISOString().slice(0, 10)
    const [last, before] = [await totals('days=28'), await totals(`days=28&asOf=${asOf}`)]
    t.ok(last.views > before.views && before.views > 10_000, `${last.views} after ${before.views}`)
  })

  t.test('when posts are read, then each network has its own, and all are marked', async (t) => {
    const { posts: top } = ranked.parse(await api('/analytics/top-posts?days=90&limit=100'))
    t.same([...new Set(top.map(({ platform }) => platform))].sort(), ['pinterest', 'x', 'youtube'])
    t.same([...new Set(top.map(({ origin }) => origin))], ['demo'])
    const { posts: all } = posts.parse(await api('/posts?limit=100'))
    t.same([...new Set(all.map(({ origin }) => origin))], ['demo'])
    const { accounts: connected } = accounts.parse(await api('/accounts'))
    const bluesky = await api(`/analytics/accounts/${connected['bluesky']?.[0]?.id}/best-times?days=90`)
    t.match(bluesky, { basedOn: 'history', bestTimes: [{ weekday: 'thursday', hour: 17 }] })
  })

  t.test('when a network is asked for a post, then it has it', async (t) => {
    const { posts: all } = posts.parse(await api('/posts?limit=1'))
    const live = liveNumbers.parse(await api(`/posts/${all[0]?.id}/analytics?platform=x`))
    t.equal(live.accounts[0]?.error, undefined)
    const page = await fetch(all[0]?.publishResults['x']?.[0]?.url ?? '')
    t.equal(page.status, 200)
    t.match(await page.text(), /Sandbox/)
  })
})
