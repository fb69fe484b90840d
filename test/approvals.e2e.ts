import t from 'tap'
import * as z from 'zod'
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
import { givenHome, runCommand } from './support/service-process.ts'

/* From an author to a reviewer and a client to the platform: the built service and three browsers. */

const chromium = findChromium()

t.test('given an author and a reviewer', { skip: !chromium && 'there is no Chromium' }, async (t) => {
  const home = await givenHome(t)
  const { service, browser } = await givenServiceAndBrowser(t, chromium ?? '', home)
  const url = `http://127.0.0.1:${home.port}`
  const pageOf = async (name: string, password: string) => {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
    page.setDefaultTimeout(SEEN_MS)
    const complaints = complaintsOf(page)
    await signInTo(page, url, name, password)
    await page.locator('nav').waitFor()
    return { page, complaints }
  }
  const join = async (name: string, role: string) => {
    const { stdout } = await runCommand(home, [
      'users',
      'create',
      name,
      '--workspace',
      'demo',
      '--role',
      role,
      '--json',
    ])
    return pageOf(name, z.object({ password: z.string() }).parse(JSON.parse(stdout)).password)
  }
  const [, owner = '', password = ''] = /Sign in +(\S+), (\S+)/.exec(service.output()) ?? []
  const { page: admin, complaints } = await pageOf(owner, password)
  await open(admin, `${url}/settings/posting-rules`)
  await admin.getByLabel('Who needs approval').selectOption('authors')
  await button(admin.getByRole('region', { name: 'Approval' }), 'Save').click()
  await seen(admin, 'Saved.')

  const { page: ben } = await join('ben', 'author')
  const { page: rex } = await join('rex', 'reviewer')
  await open(rex, `${url}/approvals`)
  await seen(rex, 'Nothing to approve')
  await open(ben, `${url}/compose`)
  await ben.getByLabel('Caption').first().fill('Fresh bred')
  await ben.locator('.picker label').filter({ hasText: 'Bluesky' }).click()
  await button(ben, 'Request approval').click()
  await seen(ben, 'Approval requested.')
  await seen(ben, 'Published as soon as it is approved')
  t.equal(await button(ben, 'Approve and publish').count(), 0, 'an author cannot approve')
  const post = ben.url()

  await seen(rex, 'Fresh bred')
  t.equal(await rex.getByRole('link', { name: 'Compose' }).count(), 0)
  await button(rex, 'Request changes').click()
  const dialog = rex.getByRole('dialog')
  await dialog.getByLabel('What should change?').fill('bread')
  await button(dialog, 'Request changes').click()
  await seen(ben, 'requested changes')

  await ben.getByRole('link', { name: 'Edit', exact: true }).click()
  await ben.getByLabel('Caption').first().fill('Fresh bread')
  await button(ben, 'Save and request approval').click()
  await seen(ben, 'Approval requested.')
  await open(rex, post)
  await seen(rex, 'Edited since the last review')
  t.equal(await rex.locator('.diff del').textContent(), 'Fresh bred')
  t.equal(await rex.locator('.diff ins').textContent(), 'Fresh bread')
  t.same(await faultsOf(rex), [])
  await rex.setViewportSize({ width: 390, height: 844 })
  await open(rex, `${url}/approvals`)
  await seen(rex, 'Fresh bread')
  t.same(await faultsOf(rex), [])
  const width = Number(await rex.evaluate('document.documentElement.scrollWidth'))
  t.ok(width <= 390, 'it fits on a phone')

  await open(rex, post)
  await button(rex, 'Share with a client').click()
  await rex.getByRole('dialog').getByLabel('For').fill('Clara')
  await button(rex.getByRole('dialog'), 'Create link').click()
  const secret = rex.getByLabel('Link for the client').last()
  await secret.waitFor()
  const link = await secret.inputValue()
  await button(rex, 'I have saved it').click()
  await button(rex, 'Revoke the link for Clara').waitFor()

  const client = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  client.setDefaultTimeout(SEEN_MS)
  await client.goto(link)
  await seen(client, 'A post by demo')
  await seen(client, 'Edited since the last review')
  t.ok((await overflowOf(client)) <= 0, 'it fits on a phone')
  for (const colorScheme of ['light', 'dark'] as const) {
    await client.emulateMedia({ colorScheme })
    t.same(await faultsOf(client), [], colorScheme)
  }
  await button(client, 'Request changes').click()
  await seen(client, 'Enter your name first.')
  t.same(await faultsOf(client), [])
  await client.getByLabel('Your name').fill('Clara')
  await button(client, 'Reject').click()
  t.same(await faultsOf(client), [])
  await button(client, 'Keep').click()
  await client.getByLabel('Comment', { exact: true }).fill('Lovely')
  await button(client, 'Comment').click()
  await seen(client, 'Your comment was sent.')
  await seen(client, 'Lovely')
  await seen(rex, 'Lovely')
  await button(client, 'Approve').click()
  await seen(client, 'Approved. Thank you!')

  await open(ben, post)
  await seen(ben, '1 of 1 accounts')
  await seen(ben, 'The guest Clara approved it')
  await client.reload()
  await seen(client, /^This post (is being|has been) published/)
  t.equal(await client.getByRole('link').count(), 0, 'there is nothing to sign in to')
  t.same(complaints, [])
})
