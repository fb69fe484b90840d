import t, { type Test } from 'tap'
import * as z from 'zod'
import {
  button,
  complaintsOf,
  faultsOf,
  findChromium,
  givenServiceAndBrowser,
  open,
  printedBy,
  seen,
  SEEN_MS,
  signInTo,
} from './support/dashboard-page.ts'
import { mailServer } from './support/mail-server.ts'
import { givenHome, until } from './support/service-process.ts'

/* From an e-mail to an account that works again: the built service, a real mail server, and a browser. */

const chromium = findChromium()
const grantSchema = z.object({
  externalId: z.string(),
  label: z.string(),
  credentials: z.record(z.string(), z.string()),
  baseUrl: z.string(),
})
const accountsSchema = z.object({
  accounts: z.record(z.string(), z.array(z.object({ id: z.string(), label: z.string(), status: z.string() }))),
})

async function given(t: Test, executablePath: string) {
  const mail = await mailServer(t)
  const home = await givenHome(t, { SMTP_URL: mail.url, MAIL_FROM: 'fanfare@fan.test' })
  const { service, browser } = await givenServiceAndBrowser(t, executablePath, home)
  const printed = printedBy(service, home)
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.setDefaultTimeout(SEEN_MS)
  return { ...printed, mail, page, complaints: complaintsOf(page), media: `${printed.sandbox}/media/sample.jpg` }
}

/** The link in the mail that is about something. */
const linkIn = (mails: readonly string[], about: string) =>
  until(`a mail about ${about}`, SEEN_MS, async () => {
    const mail = mails.find((text) => text.includes(about))
    return mail && /^http:\S+/m.exec(mail)?.[0]
  })

t.test('given a user who wants e-mail', { skip: !chromium && 'there is no Chromium' }, async (t) => {
  const { mail, page, url, user, password, complaints, control, api, media } = await given(t, chromium ?? '')
  const dialog = page.getByRole('dialog')
  const grant = async (body: object) => grantSchema.parse(await control('accounts', { platform: 'linkedin', ...body }))
  const enter = async ({ credentials, baseUrl }: z.infer<typeof grantSchema>) => {
    // Not the refresh token, with which Fanfare would renew the access itself.
    for (const field of ['accessToken', 'authorUrn']) {
      await dialog.getByLabel(field, { exact: true }).fill(credentials[field] ?? '')
    }
    await dialog.getByText('Custom server').click()
    await dialog.getByLabel('Server URL').fill(baseUrl)
    await button(dialog, 'Check and connect').click()
  }
  const shop = async () => {
    const { accounts } = accountsSchema.parse(await api('/accounts'))
    return accounts['linkedin']?.find(({ label }) => label === 'Our shop')
  }

  await signInTo(page, url, user, password)
  await page.locator('nav').waitFor()
  await open(page, `${url}/settings/notifications`)
  await button(page, 'Add a channel only for me').click()
  await dialog.getByLabel('Address').fill('ada@example.com')
  await button(dialog, 'Add').click()
  await seen(page, 'Not confirmed')
  // Without what a screen reader was told a moment ago, which stays for a while without its text.
  await open(page, `${url}/settings/notifications`)
  t.same(await faultsOf(page), [])
  await page.goto(await linkIn(mail.mails, 'Confirm this address'))
  await button(page, 'Confirm').click()
  await seen(page, 'ada@example.com receives notifications from now on.')

  const first = await grant({ label: 'Our shop' })
  await open(page, `${url}/accounts`)
  await button(page, 'Connect an account').click()
  await button(dialog, 'LinkedIn').click()
  await dialog.getByText('Connect with a token').click()
  await dialog.getByLabel('Label').fill('Our shop')
  await enter(first)
  await seen(page, 'Our shop is connected.')
  const { id = '' } = (await shop()) ?? {}

  await t.test(
    'when LinkedIn ends the access, then Home says what waits for it, and the mail leads to the account, which works again',
    async (t) => {
      await control('faults', {
        platform: 'linkedin',
        call: 'publish',
        kind: 'token_expired',
        accountId: first.externalId,
      })
      const content = { mediaUrl: media, mediaType: 'image', selections: { linkedin: [id] } }
      await api('/posts/scheduled', { ...content, caption: 'Bread at five', scheduledFor: '2031-01-01T05:00:00Z' })
      await api('/posts', { ...content, caption: 'Bread at four' })
      const link = await linkIn(mail.mails, 'The account Our shop on LinkedIn must be connected again')
      t.equal(link, `${url}/accounts`)
      await open(page, url)
      await seen(page, 'Our shop on LinkedIn must be reconnected')
      await seen(page, '1 scheduled post waits on it.')
      t.same(await faultsOf(page), [])

      await open(page, link)
      await button(page, 'Reconnect Our shop').click()
      await button(page, 'Continue to LinkedIn').click()
      await page.getByLabel('Log in as').selectOption({ label: first.label })
      await button(page, 'Allow').click()
      await seen(page, 'Our shop is connected.')
      t.match(await shop(), { id, status: 'ready' })
      t.equal(mail.mails.filter((text) => text.includes('must be connected again')).length, 1)
    },
  )

  await t.test('when they forget their password, then a mail leads to another one', async (t) => {
    await button(page, 'Sign out').click()
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.reload()
    await page.getByLabel('Name').waitFor()
    t.same(await faultsOf(page), [])
    await page.getByLabel('Name').fill(user)
    await button(page, 'Send a link').click()
    await seen(page, 'a link is on its way')
    await page.goto(await linkIn(mail.mails, 'Choose a new password'))
    await page.getByLabel('New password').fill('four loaves at dawn')
    await button(page, 'Set password and sign in').click()
    await page.locator('nav').waitFor()
  })

  t.same(complaints, [])
})
