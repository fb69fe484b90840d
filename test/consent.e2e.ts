import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import {
  button,
  complaintsOf,
  faultsOf,
  findChromium,
  givenServiceAndBrowser,
  overflowOf,
  printedBy,
  SEEN_MS,
  seen,
} from './support/dashboard-page.ts'
import { rawApp } from './support/oauth.ts'
import { givenHome } from './support/service-process.ts'

/* A person lets an app in: the built service, and a browser that an app has opened. */

const chromium = findChromium()
const SCOPES = 'accounts:read posts:read posts:propose posts:write comments:read comments:write'

/** Where the app waits for its person. */
async function givenCallback(t: Test) {
  const calls: URLSearchParams[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (pathname === '/callback') calls.push(searchParams)
    response.setHeader('content-type', 'text/html').end('<h1>The app goes on</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { calls, uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback` }
}

t.test('given an app that opens a browser', { skip: !chromium && 'there is no Chromium' }, async (t) => {
  const home = await givenHome(t)
  const { service, browser } = await givenServiceAndBrowser(t, chromium ?? '', home)
  const { url, user, password } = printedBy(service, home)
  const { calls, uri } = await givenCallback(t)
  const app = rawApp(url)
  const { id: client } = await app.register({ client_name: 'Test app', redirect_uris: [uri] })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(SEEN_MS)
  const complaints = complaintsOf(page)
  const ask = async () => {
    const asked = app.asks(client, { redirect_uri: uri, scope: SCOPES })
    await page.goto(asked.url)
    return asked
  }

  await t.test('when nobody is signed in, then they sign in first, and decide what it can do', async (t) => {
    const { verifier } = await ask()
    await page.getByLabel('Name').fill(user)
    await page.getByLabel('Password').fill(password)
    await button(page, 'Sign in').click()
    await seen(page, 'Let Test app use Fanfare?')
    await page.reload()
    await seen(page, 'write replies for a person to review')
    for (const [width, colorScheme] of [
      [390, 'dark'],
      [1440, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      for (const level of ['Read', 'Publish', 'Choose', 'Propose']) {
        await page.getByRole('radio', { name: level, exact: true }).click()
        t.same(await faultsOf(page), [], `${level} at ${width}`)
        t.equal(await overflowOf(page), 0)
      }
    }
    await page.getByLabel('Posts a day').fill('3')
    await button(page, 'Allow').click()
    await seen(page, 'The app goes on')
    const code = calls.at(-1)?.get('code') ?? ''
    const { body } = await app.redeem({ client, code, verifier }, { redirect_uri: uri })
    t.equal(body['scope'], 'accounts:read posts:read posts:propose comments:read comments:write')
    t.match(await app.calls(body['access_token']), { status: 200, text: 'plan_post' })

    await page.goto(`${url}/settings/keys`)
    await seen(page, /connected by/)
    await seen(page, 'Used today: 0 of 3 posts.')
    await button(page, 'Revoke Test app').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await seen(page, 'Test app is revoked.')
    t.match(await app.calls(body['access_token']), { status: 401 })
  })

  await t.test('when they cancel, then the app learns it, and has nothing', async (t) => {
    await ask()
    await button(page, 'Cancel').click()
    await seen(page, 'The app goes on')
    t.match(Object.fromEntries(calls.at(-1) ?? []), { error: 'access_denied' })
  })

  await t.test('when the request is gone, then the page says so', async (t) => {
    await page.goto(`${url}/authorize/gone`)
    await seen(page, /has expired, or began in another browser/)
    t.same(await faultsOf(page), [])
    t.same(complaints, [])
  })
})
