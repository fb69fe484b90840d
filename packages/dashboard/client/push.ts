import { ask } from './session-api.ts'
import type { Channel } from './types.ts'
import { OWN_ZONE } from '../parts/time.ts'

/* Notifications in this browser: a subscription of its own, and a channel of the user that leads there. */

/** Which of the user's channels leads to this browser. */
const STORED_AS = 'fanfare push channel'
/** More than a user has. */
const ALL = 100

/** `ended`: they were on here, for this user or another. */
export type PushState = 'unsupported' | 'denied' | 'on' | 'off' | 'ended'

export interface Push {
  readonly state: PushState
  /** The user's other browsers. */
  readonly others: readonly Channel[]
}

export async function readPush(): Promise<Push> {
  const { channels } = await ask<{ readonly channels: readonly Channel[] }>(
    'GET',
    `/notification-channels?limit=${ALL}`,
  )
  const own = localStorage.getItem(STORED_AS)
  const browsers = channels.filter(({ kind }) => kind === 'push')
  const state = await stateOf(own === null ? 'off' : browsers.some(({ id }) => id === own) ? 'on' : 'ended')
  return { state, others: browsers.filter(({ id }) => id !== own || state !== 'on') }
}

/** @param known what the service and this page know */
async function stateOf(known: 'on' | 'off' | 'ended'): Promise<PushState> {
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!isSupported) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  if (known !== 'on') return known
  const registration = await navigator.serviceWorker.getRegistration('/')
  return (await registration?.pushManager.getSubscription()) ? 'on' : 'ended'
}

/** Asks for permission, so it must be the answer to a click. @returns whether it is given */
export async function turnOnPush(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await navigator.serviceWorker.register('/push-worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  // It is of somebody else, or of an earlier key: its channel ends with it.
  await (await pushManager.getSubscription())?.unsubscribe()
  const { publicKey } = await ask<{ readonly publicKey: string }>('GET', '/push-key')
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const body = { kind: 'push', subscription, timezone: OWN_ZONE }
  const { id } = await ask<Channel>('POST', '/notification-channels', body).catch(async (error: unknown) => {
    await subscription.unsubscribe()
    throw error
  })
  const before = localStorage.getItem(STORED_AS)
  localStorage.setItem(STORED_AS, id)
  // It may be of somebody else, or gone.
  if (before !== null) await remove(before).catch(() => undefined)
  return true
}

const remove = (id: string) => ask('DELETE', `/notification-channels/${encodeURIComponent(id)}`)

export async function turnOffPush(): Promise<void> {
  const id = localStorage.getItem(STORED_AS)
  if (id !== null) await remove(id)
  localStorage.removeItem(STORED_AS)
  const registration = await navigator.serviceWorker.getRegistration('/')
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  await registration?.unregister()
}
