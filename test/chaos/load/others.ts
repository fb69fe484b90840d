import { z } from 'zod'
import type { FeedItem } from '../../../reactors/feed/feed.ts'
import { rssOf } from '../../support/feed-writers.ts'
import { httpServer } from '../../support/outbound-servers.ts'
import { until } from '../../support/service-process.ts'
import { repeatedly, type Scene } from './scene.ts'

const idSchema = z.object({ id: z.string() })
const videoSchema = z.object({ videoId: z.string() })

/** Videos that are paid for: most are made, some fail, of some the answer of the provider gets lost. */
export function videoMaker(scene: Scene): Promise<void> {
  const { client, wishes } = scene
  const wishesInPrompts = ['', ' [sandbox video=fail]', '', ' [sandbox video=lost]']
  return repeatedly(scene, [4_000, 9_000], async (nth) => {
    const wish = wishesInPrompts[nth % wishesInPrompts.length] ?? ''
    const body = { prompt: `Clip ${nth}${wish}` }
    const answer = await client.insist('POST', '/videos', { body, key: body.prompt })
    wishes.videos.set(videoSchema.parse(answer.body).videoId, wish.includes('fail') ? 'failed' : 'ready')
  })
}

const FED = 'pinterest'

/** A feed that grows, each item of which becomes one post. Resolves when what was in it at first is known. */
export async function growingFeed(t: Parameters<typeof httpServer>[0], scene: Scene) {
  const { client, accounts, sandboxUrl, wishes } = scene
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
    selections: { [FED]: [accounts[FED] ?? ''] },
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
        wishes.posts.set(title, [FED])
        await check()
      }),
  }
}

/** A rule that publishes a post of its own anew, again and again. */
export function recycler(scene: Scene, seen: readonly string[]): Promise<void> {
  const { client, accounts } = scene
  let rule: string | undefined
  return repeatedly(scene, [6_000, 12_000], async (nth) => {
    if (rule === undefined) {
      const body = {
        sourcePostId: seen[nth % Math.max(1, seen.length)] ?? '',
        selections: { facebook: [accounts['facebook'] ?? ''] },
      }
      const made = await client.ask('POST', '/recycling-rules', { body, key: `the rule ${nth}` })
      if (made.status === 200) rule = idSchema.parse(made.body).id
    } else await client.ask('POST', `/recycling-rules/${rule}/run-now`, { key: `turn ${nth}` })
  })
}
