import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import type { Chance } from '../chance.ts'
import type { Client } from '../client.ts'
import type { Recycled } from '../evidence.ts'
import type { Places } from './places.ts'

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
  readonly requested: OpenRequested
  readonly pace: Pace
  readonly places: Places
}

/** Whether the service has so much to do that nothing more is asked of it for now. */
export interface Pace {
  isBehind: boolean
}

/** `Requested`, while the run adds to it. */
export interface OpenRequested {
  readonly posts: Map<string, readonly string[]>
  readonly firstComments: Map<string, readonly string[]>
  readonly cancelled: string[]
  readonly either: string[]
  readonly videos: Map<string, 'ready' | 'failed'>
  readonly answered: Set<string>
  readonly comments: string[]
  readonly recycled: Map<string, Recycled>
  readonly disappointments: string[]
}

export const nothingRequested = (): OpenRequested => ({
  posts: new Map(),
  firstComments: new Map(),
  cancelled: [],
  either: [],
  videos: new Map(),
  answered: new Set(),
  comments: [],
  recycled: new Map(),
  disappointments: [],
})

/** Does it again and again, so long (ms) apart, until nothing more is to be begun. What goes wrong is kept, and told. */
export async function repeatedly(
  { stopping, random, requested }: Pick<Scene, 'stopping' | 'random' | 'requested'>,
  [least, most]: readonly [number, number],
  work: (nth: number) => Promise<unknown>,
): Promise<void> {
  for (let nth = 0; !stopping.aborted; nth += 1) {
    try {
      await work(nth)
    } catch (error) {
      requested.disappointments.push(error instanceof Error ? error.message : String(error))
    }
    await wait(random.between(least, most), undefined, { signal: stopping }).catch(() => undefined)
  }
}

const ASK_AGAIN_MS = 400
export const statusSchema = z.object({ status: z.string() })

/** Asks again and again until it is shown as wanted; undefined when nothing more is to be begun. */
export async function seenWhen<T>(
  { client, stopping }: Pick<Scene, 'client' | 'stopping'>,
  path: string,
  isWanted: (shown: T) => boolean,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  while (!stopping.aborted) {
    const shown = schema.safeParse((await client.ask('GET', path)).body)
    if (shown.success && isWanted(shown.data)) return shown.data
    await wait(ASK_AGAIN_MS, undefined, { signal: stopping }).catch(() => undefined)
  }
  return undefined
}

/** Resolves when a post has come to its end, whatever that is. */
export async function settled(scene: Pick<Scene, 'client' | 'stopping'>, id: string): Promise<void> {
  await seenWhen(scene, `/posts/${id}`, ({ status }) => status !== 'processing' && status !== 'draft', statusSchema)
}

/**
 * The requests of one sender at a time. It sends no others, so that the load never exceeds what the service can do,
 * however slow the machine.
 *
 * @returns takes the id of a post, and waits while there are too many
 */
export function underWay(scene: Scene): (id: string) => Promise<void> {
  const open: string[] = []
  return async (id) => {
    open.push(id)
    const oldest = open.length > scene.places.mostOpen ? open.shift() : undefined
    if (oldest !== undefined) await settled(scene, oldest)
    await caughtUp(scene)
  }
}

/** Resolves when more may be asked of the service. */
export async function caughtUp({ pace, stopping }: Scene): Promise<void> {
  while (pace.isBehind && !stopping.aborted)
    await wait(ASK_AGAIN_MS, undefined, { signal: stopping }).catch(() => undefined)
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
