import t from 'tap'
import type { Page } from 'playwright-core'
import {
  button,
  complaintsOf,
  faultsOf,
  findChromium,
  givenServiceAndBrowser,
  open,
  overflowOf,
  seen,
  SEEN_MS,
  signInTo,
} from './support/dashboard-page.ts'
import { CLIENT_ID, CLIENT_SECRET, givenProvider, type People } from './support/oidc.ts'
import { givenHome } from './support/service-process.ts'

/* From the sign-in page to a provider and back, at another site: the built service and a browser. */

const chromium = findChromium()

t.test('given a provider', { skip: !chromium && 'there is no Chromium' }, async (t) => {
  const people: People = new Map<string, Record<string, unknown>>([
    ['ben', { preferred_username: 'ben', groups: ['social'] }],
    ['eve', { preferred_username: 'eve', groups: ['staff'] }],
  ])
  const home = await givenHome(t)
  // Another site than the provider's 127.0.0.1: the way back brings no cookie that is strict.
  const url = `http://localhost:${home.port}`
  const issuer = await givenProvider(t, `${url}/dashboard/api/single-sign-on/callback`, people)
  const environment = {
    ...home.environment,
    ...{ PUBLIC_URL: url, OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET },
    ...{ OIDC_NAME: 'Example ID', OIDC_ROLES: 'social=author', OIDC_WORKSPACE: 'demo' },
  }
  const { service, browser } = await givenServiceAndBrowser(t, chromium ?? '', { ...home, environment })

  const newPage = async () => {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
    page.setDefaultTimeout(SEEN_MS)
    return { page, complaints: complaintsOf(page) }
  }
  const atProvider = async (page: Page, login: string) => {
    await page.locator('input[name=login]').fill(login)
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' })
    await page.locator('button[type=submit]').click()
  }
  const narrow = async (page: Page) => {
    await page.setViewportSize({ width: 390, height: 844 })
    t.ok((await overflowOf(page)) <= 0, 'it fits 390 px')
    t.same(await faultsOf(page), [])
  }

  await t.test('when somebody of a group signs in, then they are where they wanted to go', async (t) => {
    const { page, complaints } = await newPage()
    await page.goto(`${url}/settings/security`)
    await page.getByRole('link', { name: 'Sign in with Example ID' }).waitFor()
    await narrow(page)
    await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
    await atProvider(page, 'ben')
    await page.waitForURL(`${url}/settings/security`)
    await seen(page, 'You have no password.')
    t.equal(await page.getByLabel('Current password').count(), 0)
    await narrow(page)
    await page.reload()
    await seen(page, 'This browser')
    t.same(complaints, [])
  })

  await t.test('when somebody without a group signs in, then they read what to do', async () => {
    const { page } = await newPage()
    await page.goto(url)
    await page.getByRole('link', { name: 'Sign in with Example ID' }).click()
    await atProvider(page, 'eve')
    await seen(page, 'Ask for an invitation.')
    await page.getByRole('link', { name: 'Try again' }).waitFor()
    await narrow(page)
  })

  await t.test('when an owner links their identity, then they sign in with it, and can unlink it', async (t) => {
    const [, owner = '', password = ''] = /Sign in +(\S+), (\S+)/.exec(service.output()) ?? []
    const { page, complaints } = await newPage()
    await signInTo(page, url, owner, password)
    await page.locator('nav').waitFor()
    await open(page, `${url}/settings/security`)
    await button(page, 'Link').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill(password)
    await button(dialog, 'Continue').click()
    await atProvider(page, 'eve')
    await page.waitForURL(`${url}/settings/security`)
    await seen(page, 'or with your password.')

    const { page: other } = await newPage()
    await other.goto(url)
    await other.getByRole('link', { name: 'Sign in with Example ID' }).click()
    await atProvider(other, 'eve')
    await other.locator('nav').waitFor()
    await seen(other, owner)

    await button(page, 'Unlink').click()
    await seen(page, 'Single sign-on is unlinked.')
    await button(page, 'Link').waitFor()
    t.same(complaints, [])
  })
})
