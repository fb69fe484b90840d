import * as z from 'zod'
import type { FeedItem } from '../../../reactors/feeds/reading/feed.ts'
import { rssOf } from '../../support/feed-writers.ts'
import { httpServer } from '../../support/outbound-servers.ts'
import { until } from '../../support/service-process.ts'
import type { Exchange } from '../evidence.ts'
import { repeatedly, seenWhen, settled, statusSchema, type Scene } from './scene.ts'

const idSchema = z.object({ id: z.string() })
const videoSchema = z.object({ videoId: z.string() })

/** Videos that are paid for: most are made, some fail, of some the answer of the provider gets lost. */
export function videoMaker(scene: Scene): Promise<void> {
  const { client, requested, places } = scene
  const directives = ['', ' [sandbox video=fail]', '', ' [sandbox video=lost]']
  return repeatedly(scene, [8_000, 16_000], async (nth) => {
    if (nth >= places.mostVideos) return
    const directive = directives[nth % directives.length] ?? ''
    const body = { prompt: `Clip ${nth}${directive}` }
    const answer = await client.insist('POST', '/videos', { body, key: body.prompt })
    requested.videos.set(videoSchema.parse(answer.body).videoId, directive.includes('fail') ? 'failed' : 'ready')
  })
}

/** Deliveries of one webhook that may wait. */
const MOST_PENDING = 50

/** Checks whether webhooks receive events as fast as they happen. */
export function pacer(scene: Scene, hooks: readonly { readonly id: string }[]): Promise<void> {
  const { client, pace } = scene
  const pending = z.object({ deliveries: z.array(z.unknown()) })
  return repeatedly(scene, [3_000, 5_000], async () => {
    const pages = hooks.map(({ id }) => client.ask('GET', `/webhooks/${id}/deliveries?status=pending&limit=100`))
    const waiting = (await Promise.all(pages)).map(({ body }) => pending.safeParse(body).data?.deliveries.length ?? 0)
    pace.isBehind = waiting.some((count) => count > MOST_PENDING)
  })
}

/** A feed that grows, each item of which becomes one post. Resolves when what was in it at first is known. */
export async function growingFeed(t: Parameters<typeof httpServer>[0], scene: Scene) {
  const { client, accounts, sandboxUrl, requested, places } = scene
  const items: FeedItem[] = []
  const add = (title: string) => {
    const link = `${sandboxUrl}/#${encodeURIComponent(title)}`
    items.unshift({ identity: title, title, link, imageUrl: `${sandboxUrl}/media/sample.jpg` })
  }
  add('Known before')
  const server = await httpServer(t, (_request, response) =>
    response.setHeader('content-type', 'application/rss+xml').end(rssOf(items)),
  )
  const body = {
    url: `${server.url}/feed.xml`,
    selections: { [places.fed]: [accounts[places.fed] ?? ''] },
    captionTemplate: '{title}',
  }
  const { id } = idSchema.parse((await client.insist('POST', '/rss-feeds', { body, key: 'the feed' })).body)
  const check = () => client.insist('POST', `/rss-feeds/${id}/check-now`, {}, ({ status = 500 }) => status === 200)
  await until(
    'the feed to be known',
    60_000,
    async () =>
      z.object({ lastCheckedAt: z.string() }).safeParse((await client.ask('GET', `/rss-feeds/${id}`)).body).success ||
      undefined,
  )
  return {
    check,
    run: () =>
      repeatedly(scene, [3_000, 6_000], async (nth) => {
        const title = `Item ${nth} of the feed`
        add(title)
        requested.posts.set(title, [places.fed])
        await check()
      }),
  }
}

const ruleSchema = z.object({ recycleCount: z.number(), lastPostId: z.string().optional() })

/** Rules that publish a post again, again and again, each when the post of the turn before has come to its end. */
export function recyclers(scene: Scene): readonly Promise<void>[] {
  const { client, requested, places } = scene
  return places.recycled.map((platform) => {
    const caption = `recycled on ${platform}`
    let rule: string | undefined
    return repeatedly(scene, [2_000, 5_000], async (nth) => {
      rule ??= await givenRule(scene, platform, caption)
      if (rule === undefined) return
      const path = `/recycling-rules/${rule}`
      // What was answered a moment ago may not be shown yet.
      const isTaken = ({ status }: Exchange) => status === 200
      await client.insist('POST', `${path}/run-now`, { key: `turn ${nth} of ${platform}` }, isTaken)
      const times = (requested.recycled.get(caption)?.times ?? 0) + 1
      requested.recycled.set(caption, { platform, rule, times })
      const turned = await seenWhen(scene, path, ({ recycleCount }) => recycleCount === times, ruleSchema)
      if (turned?.lastPostId !== undefined) await settled(scene, turned.lastPostId)
    })
  })
}

/** @returns its id, when its source is published; undefined when nothing more is to be begun */
async function givenRule({ client, ...scene }: Scene, platform: string, caption: string): Promise<string | undefined> {
  const selections = { [platform]: [scene.accounts[platform] ?? ''] }
  const post = { mediaUrl: `${scene.sandboxUrl}/media/sample.jpg`, mediaType: 'image', caption, selections }
  const { body } = await client.insist('POST', '/posts', { body: post, key: caption })
  scene.requested.posts.set(caption, [platform])
  const { runId: sourcePostId } = z.object({ runId: z.string() }).parse(body)
  const isOut = ({ status }: { readonly status: string }) => status === 'published'
  const shown = await seenWhen({ client, ...scene }, `/posts/${sourcePostId}`, isOut, statusSchema)
  if (!shown) return undefined
  const made = await client.insist('POST', '/recycling-rules', { body: { sourcePostId }, key: `rule of ${caption}` })
  return idSchema.parse(made.body).id
}
