/*
 * Shows what is pushed to a browser as notifications, once its user has turned that on. It caches nothing and answers no requests.
 */

/** What the types of pages lack. */
interface Worker {
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    matchAll(options: { readonly type: 'window'; readonly includeUncontrolled: boolean }): Promise<readonly Tab[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install', listener: (event: Extendable) => void): void
  addEventListener(type: 'push', listener: (event: Pushed) => void): void
  addEventListener(type: 'notificationclick', listener: (event: Clicked) => void): void
}
interface Tab {
  readonly url: string
  focus(): Promise<unknown>
}
interface Extendable {
  waitUntil(work: Promise<unknown>): void
}
interface Pushed extends Extendable {
  readonly data: { json(): unknown } | null
}
interface Clicked extends Extendable {
  readonly notification: Notification
}

/** As `reactors/notifications/channels/push.ts` sends it. */
interface Message {
  readonly title: string
  readonly text: string
  readonly link: string
  readonly tag: string
}

const worker = globalThis as unknown as Worker

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))

worker.addEventListener('push', (event) => {
  const { title, text, link, tag } = event.data?.json() as Message
  // One that replaces another is announced as well.
  const options = { body: text, tag, renotify: true, icon: '/icon.svg', data: link }
  event.waitUntil(worker.registration.showNotification(title, options))
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(new URL(String(event.notification.data), location.origin)))
})

/** Shows a page of the dashboard, in the tab that already does, if any. */
async function open({ origin, href }: URL): Promise<void> {
  const url = origin === location.origin ? href : `${location.origin}/`
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  await (tabs.find((tab) => tab.url === url)?.focus() ?? worker.clients.openWindow(url))
}
