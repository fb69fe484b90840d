import { readFile } from 'node:fs/promises'
import t from 'tap'
import * as z from 'zod'
import { demoPosts } from '../app/cli/demo-posts.ts'
import {
  button,
  complaintsOf,
  faultsOf,
  findChromium,
  launchChromium,
  open,
  overflowOf,
  printedBy,
  seen,
  SEEN_MS,
  signInTo,
} from './support/dashboard-page.ts'
import { givenHome, runCommand, startProcess, until } from './support/service-process.ts'

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

const chromium = findChromium()
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
    await until('the service to read all current numbers', 60_000, async () => {
      const { posts: read } = ranked.parse(await api('/analytics/top-posts?days=90&limit=100&sort=interactions'))
      return read.length === Math.min(100, demoTotal) || undefined
    })
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
    t.match(bluesky, { basedOn: 'history' })
    const { bestTimes } = z.object({ bestTimes: z.array(z.object({ hour: z.number() })) }).parse(bluesky)
    t.ok(
      bestTimes.some(({ hour }) => hour === 17),
      'when most people look there',
    )
  })

  t.test('when a network is asked for a post, then it has it', async (t) => {
    const { posts: all } = posts.parse(await api('/posts?limit=1'))
    const live = liveNumbers.parse(await api(`/posts/${all[0]?.id}/analytics?platform=x`))
    t.equal(live.accounts[0]?.error, undefined)
    const page = await fetch(all[0]?.publishResults['x']?.[0]?.url ?? '')
    t.equal(page.status, 200)
    t.match(await page.text(), /Sandbox/)
  })

  t.test('when its user opens Analytics', { skip: !chromium && 'there is no Chromium' }, async (t) => {
    const browser = await launchChromium(chromium ?? '')
    t.teardown(() => browser.close())
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
    page.setDefaultTimeout(SEEN_MS)
    const complaints = complaintsOf(page)
    const { url, user } = printedBy(service, home)
    const reset = await runCommand(home, ['users', 'reset-password', 'admin', '--json'])
    const { password } = z.object({ password: z.string() }).parse(JSON.parse(reset.stdout))
    await signInTo(page, url, user || 'admin', password)
    await seen(page, 'Get started')
    const figure = (name: string) => page.locator(`[data-figure=${name}]`)
    const saved = async (name: string, nth = 0) => {
      const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).nth(nth).click()])
      return readFile(await download.path())
    }

    await t.test('then totals are compared, and all is marked as demo', async (t) => {
      t.equal(await page.locator('.first-steps .done').count(), 1, 'the demo is no post of the user')
      await seen(page, 'With the invented posts of the demo.')
      await open(page, `${url}/calendar?view=week&day=${daysAgo(3)}`)
      await seen(page, /^Demo: /)
      await open(page, `${url}/analytics`)
      await seen(page, 'Posts marked Demo were never published')
      await figure('views').getByText(/^[▲▼]/).waitFor()
      t.match(await figure('posts').textContent(), /\d in the period before/)
      await page.getByRole('table').getByText('Demo', { exact: true }).first().waitFor()
    })

    await t.test('then what is chosen is in the URL, and everything follows', async (t) => {
      await page.getByLabel('Network', { exact: true }).selectOption('bluesky')
      await page.waitForURL(/network=bluesky/)
      await figure('views').getByText('–', { exact: true }).first().waitFor()
      await seen(page, 'None of these posts has this number: not every network reports it.')
      await page.getByRole('radio', { name: 'Interactions' }).click()
      await page.getByRole('img', { name: /^Interactions by publish date/ }).waitFor()
      const offered = await page.getByLabel('Network', { exact: true }).locator('option').allTextContents()
      t.ok(offered.includes('Pinterest') && !offered.includes('LinkedIn'), 'networks without numbers are not offered')
      await page.getByLabel('Period').selectOption('own')
      await page.getByLabel('From').fill(daysAgo(20))
      await page.getByLabel('To', { exact: true }).fill(daysAgo(10))
      await page.waitForURL(/from=.*to=/)
      await page.getByText('Show as a table').click()
      const rows = page.getByRole('table', { name: 'Interactions by publish date' }).locator('tbody tr')
      await until('11 days', SEEN_MS, async () => ((await rows.count()) === 11 ? true : undefined))
      await page.getByLabel('From').fill(daysAgo(200))
      await seen(page, 'Choose at most 90 days.')
      await page.goBack()
    })

    await t.test('then a column shows its numbers, and the chart and its numbers can be saved', async (t) => {
      await open(page, `${url}/analytics?days=90`)
      const box = await page.locator('.chart > svg').boundingBox()
      if (!box) throw new Error('there is no chart')
      await page.mouse.move(box.x + box.width * 0.95, box.y + 120)
      await seen(page.locator('.chart-said'), /K \(.*X \d/)
      t.same((await saved('Save as PNG')).subarray(1, 4).toString(), 'PNG')
      t.match((await saved('Save as CSV')).toString(), /^date,network,posts.*\r\n20\d\d-\d\d-\d\d,/)
      t.match((await saved('Save as CSV', 1)).toString(), /^published,network,account,caption.*\r\n20/)
    })

    await t.test('then posts are sorted by any number, and lead to the post', async (t) => {
      await button(page, /^Views/).click()
      await page.waitForURL(/sort=views/)
      await page.locator('th[aria-sort=descending]', { hasText: 'Views' }).waitFor()
      const began = Date.now()
      await button(page, /^Likes/).click()
      await page.locator('th[aria-sort=descending]', { hasText: 'Likes' }).waitFor()
      t.ok(Date.now() - began < 5_000)
      const first = page.locator('.ranking tbody a').first()
      const caption = (await first.textContent()) ?? ''
      await first.click()
      await page.waitForURL(/posts\/post_/)
      await seen(page, caption)
      await seen(page, 'Made for the demo')
    })

    await t.test('then a competitor is added, compared and removed', async () => {
      await open(page, `${url}/analytics`)
      await button(page, 'Add competitor').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Network').selectOption('bluesky')
      await dialog.getByLabel('Handle or URL').fill('nobody.example')
      await button(dialog, 'Add competitor').click()
      await seen(dialog, 'No account nobody.example was found on bluesky')
      await dialog.getByLabel('Handle or URL').fill('rival.example')
      await button(dialog, 'Add competitor').click()
      await page.locator('tr', { hasText: 'rival.example' }).waitFor()
      await page.locator('tr.own', { hasText: 'yours' }).waitFor()
      await button(page, 'Remove rival.example').click()
      await button(page.getByRole('dialog'), 'Remove').click()
      await seen(page, 'No competitors yet')
    })

    await t.test('then it can be used by all, and fits a phone', async (t) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 })
          await open(page, `${url}/analytics?days=28`)
          await page.locator('.heat-map').waitFor()
          t.same(await faultsOf(page), [], `${colorScheme}, ${width}`)
          t.ok((await overflowOf(page)) <= 0, `it fits ${width} px`)
        }
      }
      t.same(complaints, [])
    })
  })
})

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
