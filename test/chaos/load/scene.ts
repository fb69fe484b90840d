import { setTimeout as wait } from 'node:timers/promises'
import type { Chance } from '../chance.ts'
import type { Client } from '../client.ts'

/** What every part of the load works with. */
export interface Scene {
  readonly client: Client
  readonly random: Chance
  /** `http://127.0.0.1:<port>` */
  readonly sandboxUrl: string
  /** The demo account on each platform. */
  readonly accounts: Readonly<Record<string, string>>
  /** Aborted when nothing more is to be begun. */
  readonly stopping: AbortSignal
  /** What was wanted so far; each part adds to it. */
  readonly wishes: OpenWishes
}

/** `Wishes`, while they are made. */
export interface OpenWishes {
  readonly posts: Map<string, readonly string[]>
  readonly firstComments: Map<string, readonly string[]>
  readonly cancelled: string[]
  readonly either: string[]
  readonly videos: Map<string, 'ready' | 'failed'>
  readonly answered: Set<string>
  readonly comments: string[]
}

export const noWishes = (): OpenWishes => ({
  posts: new Map(),
  firstComments: new Map(),
  cancelled: [],
  either: [],
  videos: new Map(),
  answered: new Set(),
  comments: [],
})

/** Does it again and again, so long (ms) apart, until nothing more is to be begun. */
export async function repeatedly(
  { stopping, random }: Pick<Scene, 'stopping' | 'random'>,
  [least, most]: readonly [number, number],
  work: (nth: number) => Promise<unknown>,
): Promise<void> {
  for (let nth = 0; !stopping.aborted; nth += 1) {
    await work(nth)
    await wait(random.between(least, most), undefined, { signal: stopping }).catch(() => undefined)
  }
}

/** Asks the sandbox, which never fails. */
export async function sandbox<T>({ sandboxUrl }: Pick<Scene, 'sandboxUrl'>, path: string, body?: object): Promise<T> {
  const response = await fetch(`${sandboxUrl}/_control${path}`, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  if (!response.ok) throw new Error(`the sandbox answered ${path} with ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
