import * as z from 'zod'
import type { Exchange, ShownPost } from '../evidence.ts'
import { repeatedly, sandbox, underWay, type Scene } from './scene.ts'

const COMMENTED: readonly string[] = ['facebook', 'instagram']
/** Where only the account's owner can fix a void token, as it is too young to be renewed: all others are obtained again. */
export const NOT_RENEWED: readonly string[] = ['instagram', 'threads']

const runSchema = z.object({ runId: z.string() })
const scheduledSchema = z.object({ id: z.string() })
const postsSchema = z.object({
  posts: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      publishResults: z.record(z.string(), z.array(z.object({ ok: z.boolean() }))),
    }),
  ),
})

/** A post that nobody has made before, to one to three platforms. */
function newPost({ random, accounts, sandboxUrl, places }: Scene, name: string) {
  const mediaType = random.next() < 0.15 ? 'video' : 'image'
  const takers = places[mediaType]
  const first = random.below(takers.length)
  const platforms = takers.filter((_, index) => (index - first + takers.length) % takers.length < 1 + random.below(3))
  const selections = Object.fromEntries(platforms.map((platform) => [platform, [accounts[platform] ?? '']]))
  const commented = platforms.filter((platform) => COMMENTED.includes(platform))
  const caption = `${name} ✓`
  const mediaUrl = `${sandboxUrl}/media/sample.${mediaType === 'image' ? 'jpg' : 'mp4'}`
  const withComment = commented.length > 0 && random.next() < 0.5
  const body = { mediaUrl, mediaType, selections, caption, ...(withComment && { firstComment: `first ${caption}` }) }
  return { caption, platforms, body, commented: withComment ? commented : [] }
}

type NewPost = ReturnType<typeof newPost>

function note({ requested }: Scene, { caption, platforms, commented }: NewPost): void {
  requested.posts.set(caption, platforms)
  if (commented.length > 0) requested.firstComments.set(caption, commented)
}

/** Posts that go out now, each asked for until it is answered, some of them twice at once or once more later. */
export function posters(scene: Scene, seen: string[]): readonly Promise<void>[] {
  const { client, random } = scene
  return [0, 1, 2].map((sender) => {
    const sent = underWay(scene)
    return repeatedly(scene, [300, 900], async (nth) => {
      const post = newPost(scene, `post ${sender}.${nth}`)
      const request = { body: post.body, key: post.caption.replace(' ✓', '') }
      // Whatever becomes of the answers: once is what is wanted.
      if (random.next() < 0.2) void client.ask('POST', '/posts', request)
      note(scene, post)
      const answer = await client.insist('POST', '/posts', request)
      const { runId } = runSchema.parse(answer.body)
      seen.push(runId)
      if (random.next() < 0.2) await client.insist('POST', '/posts', request)
      await sent(runId)
    })
  })
}

/** Posts that are scheduled, then brought forward to the next seconds or cancelled, also in the moment they go out. */
export function scheduler(scene: Scene, seen: string[]): Promise<void> {
  const { client, random, requested } = scene
  const sent = underWay(scene)
  // What was answered a moment ago may not be shown yet.
  const known = ({ status = 500 }: Exchange) => status < 500 && status !== 404 && status !== 400
  return repeatedly(scene, [500, 2_000], async (nth) => {
    const post = newPost(scene, `scheduled ${nth}`)
    const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
    const request = { body: { ...post.body, date }, key: `scheduled ${nth}` }
    const { id } = scheduledSchema.parse((await client.insist('POST', '/posts/scheduled', request)).body)
    const path = `/scheduled-posts/${id}`
    const isCancelled = random.next() < 0.3
    const goesOut = !isCancelled || random.next() < 0.5
    if (goesOut) {
      // The time is named again with each try: what is past by then is refused.
      const soon = () => new Date(Date.now() + random.between(1_000, 6_000)).toISOString()
      const moved = await client.insist('PATCH', path, () => ({ body: { scheduledAtUtc: soon() } }), known)
      // An earlier attempt, whose response was lost, may have arrived: then the post is published by now.
      if (moved.status !== 200 && moved.status !== 409) throw new Error(`PATCH ${path}: ${JSON.stringify(moved)}`)
      seen.push(id)
    }
    if (!isCancelled) {
      note(scene, post)
      return sent(id)
    }
    const { status } = await client.insist('DELETE', path, {}, ({ status }) => status === 204 || status === 409)
    if (status === 204) requested.cancelled.push(post.caption)
    // Of two requests the first may have cancelled it, and its answer be lost.
    else requested.either.push(post.caption)
  })
}

type Tried = Pick<ShownPost, 'id' | 'status' | 'publishResults'>

/** Whatever has failed on an account is asked for again. Returns how much has. */
export async function retryFailed({ client }: Pick<Scene, 'client'>, posts: readonly Tried[]) {
  let failed = 0
  for (const { id, status, publishResults } of posts) {
    if (status === 'processing') continue
    for (const [platform, results] of Object.entries(publishResults)) {
      if (results.every(({ ok }) => ok)) continue
      failed += 1
      await client.insist('POST', `/posts/${id}/retry`, { body: { platform } })
    }
  }
  return failed
}

export function retrier(scene: Scene): Promise<void> {
  return repeatedly(scene, [1_000, 3_000], async () => {
    const { body, status } = await scene.client.ask('GET', '/posts?limit=50')
    if (status === 200) await retryFailed(scene, postsSchema.parse(body).posts)
  })
}

/** What platforms do wrong. */
export function platformFaults(scene: Scene): Promise<void> {
  const { random, places } = scene
  const all = [...places.image, ...places.video]
  return repeatedly(scene, [400, 1_600], async () => {
    const pending = await sandbox<readonly { platform: string; call: string }[]>(scene, '/faults')
    const platform = random.pick(all) ?? 'x'
    // Each token is had again a few times in one attempt: many void ones in a row would need the account's owner.
    if (pending.some((fault) => fault.platform === platform && fault.call !== 'reply')) return
    const wanted = random.pick([
      'server_error',
      'server_error',
      'rate_limit',
      'token_expired',
      'reject',
      'slow',
      'accept_then_timeout',
    ] as const)
    const kind = wanted === 'token_expired' && NOT_RENEWED.includes(platform) ? 'server_error' : wanted
    const call = kind !== 'reject' && random.next() < 0.2 && COMMENTED.includes(platform) ? 'comment' : 'publish'
    const accepted = kind === 'server_error' && random.next() < 0.3 ? { accepted: true } : {}
    await sandbox(scene, '/faults', { platform, call, kind, delayMs: 200, retryAfterSeconds: 1, ...accepted })
  })
}

/** Readers who write down what they are shown: of one post, of lists. */
export function readers(scene: Scene, seen: readonly string[]): readonly Promise<void>[] {
  const { client, random, requested } = scene
  const lists = [
    '/posts?limit=25',
    '/scheduled-posts',
    '/credits',
    '/events?limit=5',
    '/comments?limit=10',
    '/accounts',
  ]
  return [
    repeatedly(scene, [100, 300], async () => {
      const id = random.pick(seen.slice(-40))
      if (id !== undefined) await client.ask('GET', `/posts/${id}`)
    }),
    repeatedly(scene, [300, 900], async (nth) => {
      await client.ask('GET', lists[nth % lists.length] ?? '')
      const video = random.pick([...requested.videos.keys()].slice(-10))
      if (video !== undefined) await client.ask('GET', `/videos/${video}`)
    }),
    // One who errs.
    repeatedly(scene, [1_000, 3_000], async (nth) => {
      if (nth % 2 === 0) await client.ask('GET', '/posts/post_00000000000000000000000000')
      else await client.ask('POST', '/posts', { body: { mediaType: 'text' } })
    }),
  ]
}
