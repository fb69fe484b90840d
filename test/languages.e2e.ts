import type { BrowserContext } from 'playwright-core'
import t from 'tap'
import {
  button,
  complaintsOf,
  faultsOf,
  findChromium,
  givenServiceAndBrowser,
  open,
  overflowOf,
  pathsOf,
  printedBy,
  seen,
  SEEN_MS,
} from './support/dashboard-page.ts'
import { givenHome } from './support/service-process.ts'

/* The dashboard for people who do not read English. */

const chromium = findChromium()
const PHONE = { width: 390, height: 844 }
/** The component library's own word for how a drag begins, which screen readers read out. */
const DRAG = /Ziehvorgang/

t.test('given browsers in other languages', { skip: !chromium && 'there is no Chromium' }, async (t) => {
  const home = await givenHome(t)
  const { service, browser } = await givenServiceAndBrowser(t, chromium ?? '', home)
  const { url, sandbox, user, password, api } = printedBy(service, home)
  const languageOf = (context: BrowserContext) => context.pages()[0]?.evaluate<string>('document.documentElement.lang')

  await t.test('a German one writes and publishes a post in German', async (t) => {
    const context = await browser.newContext({ locale: 'de-AT', timezoneId: 'Europe/Vienna' })
    const page = await context.newPage()
    page.setDefaultTimeout(SEEN_MS)
    const complaints = complaintsOf(page)
    await page.goto(url)
    await page.getByLabel('Passwort').fill(password)
    t.same(await faultsOf(page), [])
    await page.getByLabel('Name').fill(user)
    await button(page, 'Anmelden').click()
    await page.getByRole('heading', { name: 'Start', level: 1 }).waitFor()
    t.equal(await languageOf(context), 'de')
    await seen(page, '1 von 4 erledigt')

    await open(page, `${url}/compose`)
    await page.getByLabel('Beitragstext').fill('Herbstlaub')
    await page.locator('.picker label').filter({ hasText: 'Bluesky' }).click()
    await seen(page.locator('.preview'), 'bereit')
    t.same(await faultsOf(page), [])
    await button(page, 'Veröffentlichen').click()
    await page.waitForURL('**/posts/post_*')
    await seen(page, 'Abgeschlossen: veröffentlicht')
    await page.getByRole('link', { name: 'Auf Bluesky ansehen' }).waitFor()
    // Without what the component library has announced before.
    await open(page, page.url())
    await seen(page, 'Abgeschlossen: veröffentlicht')
    t.same(await faultsOf(page), [])

    const { accounts } = (await api('/accounts')) as { accounts: { bluesky: readonly { id: string }[] } }
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    await api('/posts/scheduled', {
      ...{ caption: 'Morgenrot', mediaUrl: `${sandbox}/media/sample.jpg`, mediaType: 'image' },
      selections: { bluesky: [accounts.bluesky[0]?.id] },
      scheduledFor: tomorrow,
    })
    await open(page, `${url}/calendar?view=week&day=${tomorrow.slice(0, 10)}`)
    await seen(page.locator('.entry.movable'), 'Morgenrot')
    await page.getByText(DRAG).first().waitFor({ state: 'attached' })
    t.same(complaints, [])
    await context.close()
  })

  await t.test('each page is shown in German, on a phone as well', async (t) => {
    const context = await browser.newContext({ locale: 'de-DE', viewport: PHONE })
    const page = await context.newPage()
    page.setDefaultTimeout(SEEN_MS)
    const complaints = complaintsOf(page)
    await page.goto(url)
    await page.getByLabel('Name').fill(user)
    await page.getByLabel('Passwort').fill(password)
    await button(page, 'Anmelden').click()
    await page.locator('main h1').waitFor()
    for (const path of await pathsOf(page)) {
      await open(page, `${url}${path}`)
      t.ok((await overflowOf(page)) <= 0, `${path} does not scroll sideways`)
    }
    t.same(complaints, [])
    await context.close()
  })

  await t.test('a user changes to Spanish, and it stays', async (t) => {
    const context = await browser.newContext({ locale: 'fr-FR' })
    // As Chromium says it where the system's locale is POSIX.
    await context.addInitScript(
      "Object.defineProperty(navigator, 'languages', { get: () => ['en-US@posix', 'fr-FR'] })",
    )
    const page = await context.newPage()
    page.setDefaultTimeout(SEEN_MS)
    await page.goto(url)
    await page.getByRole('heading', { name: 'Sign in to Fanfare' }).waitFor()
    t.equal(await languageOf(context), 'en', 'there is no French yet')
    await page.getByLabel('Language').selectOption('es')
    await page.getByRole('heading', { name: 'Inicia sesión en Fanfare' }).waitFor()
    t.same(await faultsOf(page), [])
    await page.getByLabel('Nombre').fill(user)
    await page.getByLabel('Contraseña').fill(password)
    await button(page, 'Iniciar sesión').click()
    await page.getByRole('heading', { name: 'Inicio', level: 1 }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Inicio', level: 1 }).waitFor()
    t.equal(await languageOf(context), 'es')
    t.same(await faultsOf(page), [])
    await page.goto(`${url}/settings/appearance`)
    await page.getByLabel('Idioma').selectOption('en')
    await page.getByRole('heading', { name: 'Language and theme', level: 1 }).waitFor()
    await context.close()
  })
})
