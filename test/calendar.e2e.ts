import t from 'tap'
import type { Locator } from 'playwright-core'
import * as z from 'zod'
import {
  button,
  complaintsOf,
  faultsOf,
  findChromium,
  givenServiceAndBrowser,
  open,
  overflowOf,
  printedBy,
  seen,
  SEEN_MS,
  signInTo,
} from './support/dashboard-page.ts'
import { givenHome, until } from './support/service-process.ts'

/* A week is planned in the calendar: the built service with the history of the demo, its slots, and a browser. */

const chromium = findChromium()
const DAY_MS = 86_400_000
const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const hours = z.object({ hours: z.array(z.object({ posts: z.number(), medianInteractions: z.number().optional() })) })
const planned = z.object({ scheduledPosts: z.array(z.object({ caption: z.string(), scheduledAtUtc: z.string() })) })

/** The days of the first week that begins after a time. */
function weekAfter(now: number): readonly string[] {
  const monday = now + ((8 - new Date(now).getUTCDay()) % 7 || 7) * DAY_MS
  return WEEK.map((_, at) => new Date(monday + at * DAY_MS).toISOString().slice(0, 10))
}

t.test('given a slot on every day, and posts of the past', { skip: !chromium && 'there is no Chromium' }, async (t) => {
  const home = await givenHome(t, { DEMO_HISTORY: 'on' })
  const { service, browser } = await givenServiceAndBrowser(t, chromium ?? '', home)
  const { url, user, password, api } = printedBy(service, home)
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, timezoneId: 'UTC' })
  const page = await context.newPage()
  page.setDefaultTimeout(SEEN_MS)
  const complaints = complaintsOf(page)
  const [key] = /fnf_\S+/.exec(service.output()) ?? []
  const slots = WEEK.map((day) => ({ day, time: '09:00' }))
  const set = await fetch(`${url}/v1/slots`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ timezone: 'UTC', default: slots, platforms: {} }),
  })
  t.equal(set.status, 200)
  await until('numbers of the past', SEEN_MS, async () => {
    const known = hours.parse(await api('/analytics/hours?days=90')).hours.filter(({ posts }) => posts > 1)
    return known.filter(({ medianInteractions = 0 }) => medianInteractions > 0).length >= 3 || undefined
  })
  await signInTo(page, url, user, password)
  await page.locator('nav').waitFor()
  const days = weekAfter(Date.now())
  const [monday = '', , wednesday = ''] = days
  const week = `${url}/calendar?view=week&day=${monday}`
  const at = (day: string, hour: number) => page.locator(`[data-hour="${day} ${hour}"]`)
  const free = page.locator('.free-slot')
  const count = (of: Locator, expected: number) =>
    until(`${expected} of them`, SEEN_MS, async () => (await of.count()) === expected || undefined)

  await t.test(
    'when the week is shown, then it has the free slots and the best times, until they are hidden',
    async (t) => {
      await open(page, week)
      await count(free, 7)
      await count(page.getByRole('group', { name: /, one of the best times$/ }), 3)
      await seen(page, 'hours with at least 2 posts in 90 days')
      t.same(await faultsOf(page), [])
      await page.locator('.checkbox', { hasText: 'Best times' }).click()
      await count(page.locator('.best'), 0)
      await page.reload()
      await count(free, 7)
      t.equal(await page.locator('.best').count(), 0, 'the browser remembers it')
    },
  )

  await t.test('when the calendar is of one account, then a post for each slot takes one click', async (t) => {
    await page.getByLabel('Account').selectOption('Demo bluesky')
    for (const [index, day] of days.entries()) {
      await at(day, 9).locator('.free-slot').click()
      await page.getByLabel('Caption', { exact: true }).fill(`Bread of day ${index + 1}`)
      t.ok(await page.getByRole('checkbox', { name: /Bluesky/ }).isChecked())
      await page.keyboard.press('Control+Enter')
      await at(day, 9)
        .getByText(`Bread of day ${index + 1}`)
        .waitFor()
    }
    await count(free, 0)
    const { scheduledPosts } = planned.parse(await api('/scheduled-posts?limit=100'))
    t.same(
      scheduledPosts.map(({ scheduledAtUtc }) => scheduledAtUtc).toSorted(),
      days.map((day) => `${day}T09:00:00.000Z`),
    )
  })

  await t.test('when one is dragged away, then its slot is free, until that is undone', async () => {
    await page.locator('.entry', { hasText: 'Bread of day 3' }).dragTo(at(wednesday, 15))
    await at(wednesday, 15).getByText('Bread of day 3').waitFor()
    await at(wednesday, 9).locator('.free-slot').waitFor()
    await button(page, 'Undo').click()
    await at(wednesday, 9).getByText('Bread of day 3').waitFor()
    await count(free, 0)
  })

  await t.test('when the month and the list are shown, then they say how many slots are free', async (t) => {
    const later = new Date(Date.parse(monday) + 7 * DAY_MS).toISOString().slice(0, 10)
    await open(page, `${url}/calendar?view=list&day=${monday}`)
    const gap = page.locator('.gap')
    await seen(gap, /Nothing planned · 21 free slots/)
    await gap.getByRole('link', { name: /^Plan a post/ }).click()
    await page.getByLabel('Date').waitFor()
    t.equal(await page.getByLabel('Date').inputValue(), later)
    t.equal(await page.getByLabel('Time', { exact: true }).inputValue(), '09:00')
    await open(page, `${url}/calendar?day=${later}`)
    await page
      .locator(`.day[data-date="${later}"]`)
      .getByRole('button', { name: /^1 free slot/ })
      .click()
    await at(later, 9).locator('.free-slot').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await at(later, 9).locator('.free-slot').waitFor()
    t.ok((await overflowOf(page)) <= 0)
    t.same(await faultsOf(page), [])
    t.same(complaints, [])
  })
})
