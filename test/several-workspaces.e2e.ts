import t from 'tap'
import type { Page } from 'playwright-core'
import * as z from 'zod'
import {
  complaintsOf,
  faultsOf,
  findChromium,
  givenServiceAndBrowser,
  open,
  overflowOf,
  SEEN_MS,
  signInTo,
} from './support/dashboard-page.ts'
import { givenHome, runCommand } from './support/service-process.ts'

/* A freelancer who works for two clients: the built service and one browser. */

const chromium = findChromium()
const BAKERY = 'Bakery Schmidt and Daughters'

t.test(
  'given a user who is invited to a second workspace',
  { skip: !chromium && 'there is no Chromium' },
  async (t) => {
    const home = await givenHome(t)
    const { browser } = await givenServiceAndBrowser(t, chromium ?? '', home)
    const url = `http://127.0.0.1:${home.port}`
    const run = async (...args: string[]) => JSON.parse((await runCommand(home, [...args, '--json'])).stdout) as unknown
    await run('workspaces', 'create', BAKERY)
    const created = await run('users', 'create', 'fred', '--workspace', BAKERY, '--role', 'manager')
    const { password } = z.object({ password: z.string() }).parse(created)
    const invitation = await run('users', 'invite', '--workspace', 'demo', '--role', 'author')
    const { link } = z.object({ link: z.url() }).parse(invitation)

    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const tab = async () => {
      const page = await context.newPage()
      page.setDefaultTimeout(SEEN_MS)
      return page
    }
    const button = (page: Page, name: string | RegExp) =>
      page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
    const page = await tab()
    const complaints = complaintsOf(page)
    await signInTo(page, url, 'fred', password)
    await page.locator('nav').waitFor()
    t.equal(await button(page, /^Workspace:/).count(), 0, 'in one workspace, there is nothing to switch')
    await page.locator('.side').getByText(BAKERY, { exact: true }).waitFor()

    await t.test('then they join with their account, by one click', async (t) => {
      await page.goto(link)
      await page.getByRole('heading', { name: 'Join demo as author' }).waitFor()
      t.same(await faultsOf(page), [])
      await button(page, 'Join as fred').click()
      await button(page, 'Workspace: demo. Switch').first().waitFor()
    })

    await t.test('when they post there, and switch, then the other workspace has none of it', async (t) => {
      await open(page, `${url}/compose`)
      await page.getByLabel('Caption').first().fill('Fresh bread in demo')
      await page.locator('.picker label').filter({ hasText: 'Bluesky' }).click()
      await button(page, 'Publish').click()
      await page.getByText('Published').first().waitFor()
      const other = await tab()
      await open(other, `${url}/compose`)
      await other.getByLabel('Caption').first().fill('not for the bakery')

      await open(page, `${url}/posts`)
      await page.getByText('Fresh bread in demo').first().waitFor()
      await button(page, 'Workspace: demo. Switch').first().focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitemradio', { name: new RegExp(BAKERY) }).waitFor()
      t.same(await faultsOf(page), [])
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      for (const one of [page, other]) {
        await button(one, `Workspace: ${BAKERY}. Switch`).first().waitFor()
        t.equal(new URL(one.url()).pathname, '/', 'each tab begins again')
      }
      await open(page, `${url}/posts`)
      t.equal(await page.getByText('Fresh bread in demo').count(), 0)
      await page.setViewportSize({ width: 390, height: 800 })
      await button(page, `Workspace: ${BAKERY}. Switch`).first().click()
      t.ok((await overflowOf(page)) <= 0)
    })
    t.same(complaints, [])
  },
)
