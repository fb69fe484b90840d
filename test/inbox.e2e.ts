import t, { type Test } from 'tap'
import type { Page } from 'playwright-core'
import type { paths } from '../packages/client/api.ts'
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

/* An inbox full of comments, settled by keyboard: the built service, its sandbox, and a browser. */

const chromium = findChromium()
const COUNT = 30
type Comments = paths['/comments']['get']['responses'][200]['content']['application/json']
const commentsSchema = z.object({ comments: z.array(z.object({ id: z.string(), accountId: z.string() })) })

async function given(t: Test, executablePath: string) {
  const home = await givenHome(t, { RATE_LIMIT_PER_MINUTE: '10000' })
  const { service, browser } = await givenServiceAndBrowser(t, executablePath, home)
  const printed = printedBy(service, home)
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.setDefaultTimeout(SEEN_MS)
  await signInTo(page, printed.url, printed.user, printed.password)
  await page.locator('nav').waitFor()
  return { ...printed, page, complaints: complaintsOf(page) }
}

/** Has the page find this many comments. */
async function giveComments(page: Page, count: number): Promise<void> {
  const comments: Comments['comments'] = Array.from({ length: count }, (_, index) => ({
    ...{ id: `${index}`, platform: 'instagram', accountId: 'acc_none', kind: 'comment', author: `fan ${index}` },
    ...{ text: `Comment ${index}`, createdAt: new Date(Date.now() - index * 60_000).toISOString() },
    ...{ replied: false, dismissed: false },
  }))
  const body: Comments = { comments, nextCursor: null, requestId: 'req_none' }
  await page.unroute('**/v1/comments?*')
  await page.route('**/v1/comments?*', (route) => route.fulfill({ json: body }))
}

/** From a key to the frame that shows it, in ms: the fastest of 20 keys in an inbox of this many comments. */
async function keyTime(page: Page, url: string, count: number): Promise<number> {
  await giveComments(page, count)
  await open(page, `${url}/inbox`)
  await button(page, new RegExp(`fan ${count - 1}\\b`)).waitFor({ state: 'attached' })
  const times: number[] = []
  for (let press = 0; press < 20; press += 1) {
    times.push(
      await page.evaluate<number>(`new Promise((done) => {
        const began = performance.now()
        window.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)))
      })`),
    )
  }
  await seen(page.locator('.thread'), 'Comment 20')
  return Math.min(...times)
}

t.test('given an inbox', { skip: !chromium && 'there is no Chromium' }, async (t) => {
  const { page, url, user, sandbox, complaints, control, api } = await given(t, chromium ?? '')

  await t.test(`when ${COUNT} drafts wait, then they are approved by keyboard within a minute`, async (t) => {
    const { accounts } = z
      .object({ accounts: z.record(z.string(), z.array(z.object({ id: z.string() }))) })
      .parse(await api('/accounts'))
    const mine = accounts['bluesky']?.[0]?.id ?? ''
    await api('/posts/chain', { parts: [{ text: 'Rye bread at seven' }], selections: { bluesky: [mine] } })
    const post = await until('the post to be out', SEEN_MS, async () => {
      const live = z.array(z.object({ id: z.string(), accountId: z.string(), caption: z.string() }))
      const posts = live.parse(await (await fetch(`${sandbox}/_control/posts?platform=bluesky`)).json())
      return posts.find(({ caption }) => caption === 'Rye bread at seven')
    })
    for (let at = 0; at < COUNT; at += 1) {
      const comment = { text: `Which flour number ${at} is in it?`, author: `fan${at}` }
      await control('comments', { platform: 'bluesky', accountId: post.accountId, postId: post.id, ...comment })
    }
    await api('/comments/check-now', { accountId: mine })
    const listed = (state: string) => async () => {
      const query = `?state=${state}&limit=100&accountId=${mine}`
      const { comments } = commentsSchema.parse(await api(`/comments${query}`))
      return comments.length === COUNT ? comments : undefined
    }
    const comments = await until('the comments to be fetched', SEEN_MS, listed('to_reply'))
    for (const { id } of comments) await api(`/comments/${encodeURIComponent(id)}/reply`, {})
    await until('the drafts to be written', SEEN_MS, listed('draft_ready'))

    await open(page, `${url}/inbox?state=draft_ready`)
    await seen(page, 'On your post')
    t.same(await faultsOf(page), [])
    const began = performance.now()
    for (let at = 0; at < COUNT; at += 1) {
      await page.locator('.thread [data-key=a]').waitFor()
      await page.keyboard.press('a')
    }
    await seen(page, 'No replies to review')
    t.comment(`${Math.round(performance.now() - began)} ms for ${COUNT} replies`)
    t.ok(performance.now() - began < 60_000)
    await until('all replies to be out', SEEN_MS, listed('done'))
  })

  await t.test('when several are selected, then they are dismissed together', async (t) => {
    await api('/comments/check-now', {})
    const selected = async () => {
      const { comments } = commentsSchema.parse(await api('/comments?state=to_reply&limit=100'))
      return comments.length
    }
    const posts = z.array(z.object({ id: z.string(), accountId: z.string() }))
    const [post] = posts.parse(await (await fetch(`${sandbox}/_control/posts?platform=bluesky`)).json())
    for (const author of ['ada', 'bo']) {
      await control('comments', {
        ...{ platform: 'bluesky', accountId: post?.accountId, postId: post?.id },
        ...{ text: 'Spam', author },
      })
    }
    await until('two more comments', SEEN_MS, async () => ((await selected()) >= 2 ? true : undefined))
    await open(page, `${url}/inbox`)
    await page.keyboard.press('s')
    await page.keyboard.press('j')
    await page.keyboard.press('s')
    await seen(page, '2 selected')
    const before = await selected()
    await button(page, 'Dismiss selected').click()
    await seen(page, '2 comments dismissed.')
    t.equal(await selected(), before - 2)
  })

  await t.test(
    'when a comment is assigned by keyboard, then it is in the list of the user, until it is given back',
    async (t) => {
      const posts = z.array(z.object({ id: z.string(), accountId: z.string() }))
      const [post] = posts.parse(await (await fetch(`${sandbox}/_control/posts?platform=bluesky`)).json())
      for (const author of ['cy', 'di']) {
        const to = { platform: 'bluesky', accountId: post?.accountId, postId: post?.id }
        await control('comments', { ...to, text: 'Is it vegan?', author })
      }
      await api('/comments/check-now', {})
      await open(page, `${url}/inbox`)
      const rows = page.locator('.threads > li')
      await rows.filter({ hasText: 'di' }).locator('button').click()
      await rows.filter({ hasText: 'cy' }).locator('button').click()
      await page.keyboard.press('i')
      await seen(page, `Assigned to ${user}.`)
      await rows.filter({ hasText: 'cy' }).locator('.assignee').getByText(user).waitFor()
      t.same(await faultsOf(page), [])
      const filter = page.getByRole('group', { name: 'Filters' }).getByLabel('Assigned to')
      await filter.selectOption('me')
      await rows.filter({ hasText: 'di' }).waitFor({ state: 'detached' })
      await rows.filter({ hasText: 'cy' }).waitFor()
      t.equal(await rows.count(), 1)
      await rows.locator('button').focus()
      await page.keyboard.press('s')
      await page.getByLabel('Assign selected').selectOption('none')
      await seen(page, 'Assigned to nobody.')
      await seen(page, 'No comments to reply to')
      await filter.selectOption('none')
      await rows.filter({ hasText: 'cy' }).waitFor()
    },
  )

  await t.test('when there are a thousand comments, then a key is answered as fast as among thirty', async (t) => {
    const few = await keyTime(page, url, 30)
    const many = await keyTime(page, url, 1_000)
    t.comment(`${Math.round(few)} ms among 30, ${Math.round(many)} ms among 1,000`)
    t.ok(many < 3 * few, `${many} ms against ${few} ms`)
  })

  await t.test('when it is shown on a phone, then it fits, and a comment covers the list', async (t) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page, `${url}/inbox`)
    t.ok((await overflowOf(page)) <= 0)
    await button(page, /fan 1 /).click()
    await page.getByLabel('Your reply to fan 1', { exact: true }).waitFor()
    t.same(await faultsOf(page), [])
    await button(page, '‹ Back to the list').click()
    await page.getByLabel('Your reply to fan 1', { exact: true }).waitFor({ state: 'hidden' })
    t.same(complaints, [])
  })
})
