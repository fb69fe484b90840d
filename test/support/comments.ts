import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { account, type Automation } from '../../domain/account/account.ts'
import type { ConversationPlatform } from '../../domain/core/platform.ts'
import { handle } from '../../commands/handle.ts'
import { setAutomation } from '../../commands/set-automation.ts'
import { findAccount } from '../../projections/models/accounts.ts'
import { findPost } from '../../projections/models/posts.ts'
import type { AppView } from './bluesky-app-view.ts'
import { fanAt } from './bluesky-audience.ts'
import { postsOf, referenceServer } from './bluesky.ts'
import type { LocalPds } from './pds.ts'
import { ids, postJson } from './sandbox.ts'
import { causedBy, givenProcess, type Process, type World } from './world.ts'

const writtenSchema = z.array(z.object({ id: z.string(), writtenBy: z.enum(['account', 'fan']), text: z.string() }))

export const MINUTE = 60_000
export const PACE = { leastMs: 2 * MINUTE, mostMs: 30 * MINUTE }

/** Lets this time (ms) pass, with all that is due in it. */
export async function pass(world: World, service: Process, ms: number): Promise<void> {
  const end = world.clock.now() + ms
  for (;;) {
    while ((await service.step()) > 0);
    const { rows } = await world.db.query<{ next: string | null }>(
      'select min(greatest(due_at, lease_until)) as next from read.agenda',
    )
    const next = Date.parse(rows[0]?.next ?? '')
    if (!(next <= end)) break
    await world.clock.advanceTo(next)
  }
  await world.clock.advanceTo(end)
}

/** One account that is written to, with a post that is out where comments stand under posts. */
export interface Inbox {
  readonly platform: ConversationPlatform
  readonly accountId: string
  readonly externalId: string
  /** The platform's id of the post. */
  readonly postId: string | undefined
  /** A fan writes; returns the platform's id of it. */
  comment(text: string, author?: string): Promise<string>
  /** What the account has answered. */
  answers(): Promise<readonly { readonly id: string; readonly text: string }[]>
  automate(change: Partial<Automation>): Promise<unknown>
}

export async function givenInbox(world: World, platform: ConversationPlatform, service?: Process): Promise<Inbox> {
  const accountId = await world.account(platform)
  const worker = service ?? (await givenProcess(world))
  const mentioned = platform === 'x'
  const postId = mentioned ? undefined : await published(world, worker, platform, accountId)
  await worker.step()
  const externalId = (await findAccount(world.db, accountId))?.externalId ?? ''
  const control = `${world.sandbox.url}/_control/comments`
  const written = async () => {
    const query = new URLSearchParams({ platform, accountId: externalId })
    return writtenSchema.parse((await world.http.request(`${control}?${query}`)).json())
  }
  return {
    ...{ platform, accountId, externalId, postId, automate: automation(world, accountId) },
    comment: async (text, author = 'Ada Fan') => {
      const body = { platform, accountId: externalId, ...(postId !== undefined && { postId }), text, author }
      return z.object({ id: z.string() }).parse((await postJson(world.http, control, body)).json()).id
    },
    answers: async () => (await written()).filter(({ writtenBy }) => writtenBy === 'account'),
  }
}

/** The same on a real Bluesky server, whose app is told of what a fan writes there. */
export async function givenServedInbox(
  world: World,
  service: Process,
  { pds, appView }: { readonly pds: LocalPds; readonly appView: AppView },
): Promise<Inbox> {
  const { did, appPassword } = await pds.createAccount(`a${randomBytes(6).toString('hex')}`)
  const credentials = { identifier: did, appPassword }
  const accountId = await world.connect('bluesky', { credentials, baseUrl: pds.url })
  const postId = await published(world, service, 'bluesky', accountId)
  const server = referenceServer(pds)
  const fan = await fanAt(world.http, pds, appView, 'Ada Fan')
  const written = () => postsOf(world.http, server, did)
  return {
    ...{ platform: 'bluesky', accountId, externalId: did, postId, automate: automation(world, accountId) },
    comment: async (text) => {
      const post = (await written()).find(({ uri }) => uri === postId)
      if (!post) throw new Error('the post is not on the server')
      const parent = { uri: post.uri, cid: post.cid }
      const to = { account: { id: accountId, platform: 'bluesky' as const, externalId: did } }
      return (await fan.writes({ text, reply: { root: parent, parent } }, to, 'reply', post.uri)).uri
    },
    answers: async () =>
      (await written())
        .filter(({ value }) => value['reply'] !== undefined)
        .map(({ uri: id, value }) => ({ id, text: String(value['text']) })),
  }
}

function automation(world: World, accountId: string): Inbox['automate'] {
  return (change) =>
    handle(world, account, accountId, causedBy(`automate ${ids.ulid()}`), (state) => setAutomation(state, change))
}

async function published(
  world: World,
  worker: Process,
  platform: ConversationPlatform,
  accountId: string,
): Promise<string> {
  const isVideo = platform === 'youtube'
  const mediaUrl = `${world.sandbox.url}/media/sample.${isVideo ? 'mp4' : 'jpg'}`
  const selections = { [platform]: [accountId] }
  const id = await worker.queue({ selections, mediaUrl, mediaType: isVideo ? 'video' : 'image' })
  await worker.drain()
  const result = (await findPost(world.db, id))?.results[platform]?.[0]
  if (!result?.ok) throw new Error(`the post on ${platform} is not out: ${JSON.stringify(result)}`)
  return result.postId
}
