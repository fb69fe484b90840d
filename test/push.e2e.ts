import t, { type Test } from 'tap'
import type { BrowserContext, Page } from 'playwright-core'
import { push } from '../reactors/notifications/channels/push.ts'
import { vapidKeys } from '../infra/runtime/vapid.ts'
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
import { decrypted, keysOf, newBrowser } from './support/push-service.ts'
import { givenHome, until } from './support/service-process.ts'

/* Notifications in a real browser, on the built service. Chromium alone has no push service: what it does is stood in for. */

const chromium = findChromium()
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const browserKeys = newBrowser()
const ENDPOINT = 'https://127.0.0.1:9/send'
/** A subscription, for as long as the browser runs, in place of one by a push service. */
const SUBSCRIBES = `{
  const made = { endpoint: '${ENDPOINT}', keys: ${JSON.stringify(keysOf(browserKeys))}, expirationTime: null }
  const subscription = () => ({
    ...{ toJSON: () => made, endpoint: made.endpoint },
    unsubscribe: async () => (localStorage.removeItem('subscribed'), true),
  })
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly || !/^[\\w-]{87}$/.test(applicationServerKey)) throw new Error('not as expected')
    localStorage.setItem('subscribed', 'yes')
    return subscription()
  }
  PushManager.prototype.getSubscription = async () => (localStorage.getItem('subscribed') ? subscription() : null)
}`

async function given(t: Test, executablePath: string) {
  const home = await givenHome(t, { OUTBOUND_ALLOW: '127.0.0.1:9', RATE_LIMIT_PER_MINUTE: '10000' })
  const { service, browser } = await givenServiceAndBrowser(t, executablePath, home)
  const [, user = '', password = ''] = /Sign in +(\S+), (\S+)/.exec(service.output()) ?? []
  const url = `http://127.0.0.1:${home.port}`
  const enter = async (context: BrowserContext, script = '') => {
    if (script !== '') await context.addInitScript(script)
    const page = await context.newPage()
    page.setDefaultTimeout(SEEN_MS)
    const complaints = complaintsOf(page)
    await signInTo(page, url, user, password)
    await page.locator('nav').first().waitFor({ state: 'attached' })
    await open(page, `${url}/settings/notifications`)
    return { page, complaints }
  }
  const context = () => browser.newContext({ userAgent: CHROME, viewport: { width: 390, height: 844 } })
  return { url, enter, context }
}

const card = (page: Page) => page.getByRole('region', { name: 'In this browser' })
const workers = (page: Page) =>
  page.evaluate<number>('navigator.serviceWorker.getRegistrations().then(({ length }) => length)')

/** Has the browser receive a message. */
async function deliver(page: Page, origin: string, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await found
  // The session stays: what it has sent may not have arrived.
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
}

t.test('given the dashboard in Chromium', { skip: chromium === undefined }, async (t) => {
  const { url, enter, context } = await given(t, chromium ?? '')
  const first = await context()
  await first.grantPermissions(['notifications'], { origin: url })
  const { page, complaints } = await enter(first, SUBSCRIBES)

  await t.test('then nothing is registered before somebody turns it on', async (t) => {
    t.match(await card(page).innerText(), /Let notifications appear here/)
    t.equal(await workers(page), 0)
    const { headers } = await fetch(`${url}/push-worker.js`)
    t.match(headers.get('content-type'), 'text/javascript')
    t.equal(headers.get('cache-control'), 'no-cache')
    t.match(headers.get('content-security-policy'), "default-src 'self'")
  })

  await t.test('when the user turns it on, then the browser is one of their channels', async (t) => {
    await card(page).getByRole('button', { name: 'Turn on' }).click()
    await card(page).getByRole('button', { name: 'Turn off' }).waitFor()
    t.match(await card(page).innerText(), /Notifications appear here/)
    await page.getByRole('listitem').filter({ hasText: 'Chrome on Linux' }).waitFor()
    t.equal(await workers(page), 1)
  })

  await t.test(
    'when the user sends a test, then the built service writes it, and calls the push service',
    async (t) => {
      await page.getByRole('button', { name: 'Send a test to Chrome on Linux' }).click()
      const sent = () =>
        page.evaluate<{ readonly attempts: number; readonly lastError: string }>(
          `(async () => {
          const own = '/dashboard/api/notification-channels'
          const { channels: [channel] } = await (await fetch(own)).json()
          return (await (await fetch(own + '/' + channel.id + '/notifications')).json()).notifications[0]
        })()`,
        )
      // Nothing listens there.
      const { lastError } = await until('an attempt', SEEN_MS, async () =>
        (await sent())?.lastError ? sent() : undefined,
      )
      t.match(lastError, /127\.0\.0\.1:9|refused/i)
    },
  )

  await t.test('when a message arrives, then it is a notification; another on the topic replaces it', async (t) => {
    const secret = { endpoint: ENDPOINT, ...keysOf(browserKeys) }
    const message = (text: string, link: string) => ({
      ...{
        id: 'ntf_1',
        title: 'A post failed (Bakery)',
        about: 'post.failed',
        footer: '',
        url: `${url}/settings/notifications`,
      },
      lines: [{ text, url: `${url}${link}` }],
    })
    const vapid = { ...vapidKeys(Buffer.alloc(32, 1)), subject: 'mailto:a@example.com' }
    const shown = async () =>
      page.evaluate<readonly { title: string; body: string; data: string }[]>(
        `navigator.serviceWorker.ready.then((registration) => registration.getNotifications())
          .then((all) => all.map(({ title, body, data }) => ({ title, body, data })))`,
      )
    for (const text of ['The first failed.', 'The second failed.']) {
      const { body } = push(secret, message(text, '/posts/post_1'), vapid)
      await deliver(page, url, decrypted(browserKeys, Buffer.from(body as Uint8Array)))
      await until('the notification', SEEN_MS, async () => (await shown()).find(({ body }) => body === text))
    }
    t.same(await shown(), [{ title: 'A post failed (Bakery)', body: 'The second failed.', data: '/posts/post_1' }])
  })

  await t.test('when it is clicked, then its page is opened, and never one of another site', async (t) => {
    const [worker] = first.serviceWorkers()
    const opened = (link: string) =>
      worker?.evaluate(`(async () => {
        let opened
        clients.openWindow = async (url) => void (opened = url)
        const [notification] = await registration.getNotifications()
        await registration.showNotification('Another', { tag: notification?.tag ?? 'a', data: ${JSON.stringify(link)} })
        const [clicked] = await registration.getNotifications()
        dispatchEvent(new NotificationEvent('notificationclick', { notification: clicked }))
        for (let waits = 0; opened === undefined && waits < 100; waits += 1) await new Promise((done) => setTimeout(done, 50))
        return opened
      })()`)
    t.equal(await opened('/posts/post_1'), `${url}/posts/post_1`)
    for (const link of ['https://evil.test/', '//evil.test/', 'javascript:alert(1)', 'undefined:']) {
      t.equal(await opened(link), `${url}/`, link)
    }
  })

  await t.test('then the page is as good as the others', async (t) => {
    await open(page, `${url}/settings/notifications`)
    t.same(complaints, [])
    t.equal(await overflowOf(page), 0)
    t.same(await faultsOf(page), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    t.same(await faultsOf(page), [])
  })

  await t.test('when it is seen from elsewhere, then it says where it is on, and how to allow it', async (t) => {
    const second = await context()
    const blocked = `Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`
    const { page } = await enter(second, blocked)
    t.match(await card(page).innerText(), /are blocked\. To allow them[\s\S]*On in Chrome on Linux\./)
    t.equal(await card(page).getByRole('button').count(), 0)
    const third = await context()
    const { page: old } = await enter(third, 'delete window.PushManager')
    t.match(await card(old).innerText(), /This browser cannot show notifications of websites\./)
  })

  await t.test('when the browser has ended its subscription, then the page says so', async (t) => {
    await page.evaluate(`localStorage.removeItem('subscribed')`)
    await open(page, `${url}/settings/notifications`)
    t.match(await card(page).innerText(), /Your notifications do not appear here/)
    await card(page).getByRole('button', { name: 'Turn on' }).click()
    await card(page).getByRole('button', { name: 'Turn off' }).waitFor()
    await until('one channel', SEEN_MS, async () =>
      (await page.getByRole('listitem').filter({ hasText: 'Chrome on Linux' }).count()) === 1 ? true : undefined,
    )
  })

  await t.test('when the user turns it off, then nothing is left', async (t) => {
    await card(page).getByRole('button', { name: 'Turn off' }).click()
    await card(page).getByRole('button', { name: 'Turn on' }).waitFor()
    t.equal(await workers(page), 0)
    await page.getByRole('listitem').filter({ hasText: 'Chrome on Linux' }).waitFor({ state: 'detached' })
  })
})
