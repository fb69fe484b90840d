import * as z from 'zod'
import { NOT_RENEWED } from './posts.ts'
import { caughtUp, repeatedly, sandbox, type Scene } from './scene.ts'

/** Where the automation answers by itself; elsewhere a person does, by the API. */
export const AUTOMATED = 'threads'

const commentsSchema = z.object({
  comments: z.array(
    z.object({ id: z.string(), platform: z.string(), accountId: z.string(), text: z.string() }).passthrough(),
  ),
})

/** Comments that may wait for a person's answer. More would all be answered in the end, and be told of at once. */
const MOST_UNANSWERED = 10

/** Fans, who write under posts that are live. */
export function fans(scene: Scene): Promise<void> {
  const { random, requested, places } = scene
  const forPersons: string[] = []
  return repeatedly(scene, [4_000, 8_000], async (nth) => {
    if (forPersons.filter((text) => !requested.answered.has(text)).length > MOST_UNANSWERED) return
    const platform = random.pick(places.fans) ?? 'bluesky'
    const live = await sandbox<readonly { id: string; accountId: string }[]>(scene, `/posts?platform=${platform}`)
    const under = random.pick(live.slice(-5))
    if (!under) return
    const text = `comment ${nth}`
    await sandbox(scene, '/comments', {
      platform,
      accountId: under.accountId,
      postId: under.id,
      text,
      author: `fan ${nth % 7}`,
    })
    requested.comments.push(text)
    if (platform !== AUTOMATED) forPersons.push(text)
    await caughtUp(scene)
  })
}

/**
 * Answers each comment that has no reply yet, once.
 *
 * @param signal ends it after the one that is being answered
 * @returns how many it has answered now
 */
export async function answerComments(scene: Scene, signal?: AbortSignal): Promise<number> {
  const { client, requested } = scene
  const { status, body } = await client.ask('GET', '/comments?replied=false&limit=100')
  if (status !== 200) return 0
  let answered = 0
  for (const { id: commentId, platform, accountId, text, ...references } of commentsSchema.parse(body).comments) {
    if (signal?.aborted) break
    if (platform === AUTOMATED || requested.answered.has(text)) continue
    requested.answered.add(text)
    answered += 1
    const reply = { platform, accountId, commentId, text, directText: `answer to ${text}`, ...namesOf(references) }
    const answer = await client.insist('POST', '/comments/reply', { body: reply, key: `reply ${text}` })
    if (answer.status !== 200) throw new Error(`POST /comments/reply: ${JSON.stringify(answer)}`)
  }
  return answered
}

function namesOf(references: Readonly<Record<string, unknown>>): object {
  const names = ['postUrn', 'rootUri', 'rootCid', 'commentCid']
  return Object.fromEntries(names.flatMap((name) => (references[name] === undefined ? [] : [[name, references[name]]])))
}

export const responder = (scene: Scene): Promise<void> =>
  repeatedly(scene, [1_000, 3_000], () => answerComments(scene, scene.stopping))

/** Replies whose answers get lost, or that meet a void token. */
export function replyFaults(scene: Scene): Promise<void> {
  const { random, places } = scene
  return repeatedly(scene, [6_000, 12_000], async (nth) => {
    const platform = random.pick(places.fans) ?? 'bluesky'
    const pending = await sandbox<readonly { platform: string; call: string }[]>(scene, '/faults')
    if (pending.some((fault) => fault.platform === platform && fault.call === 'reply')) return
    const faults = [
      { kind: 'server_error', accepted: true },
      NOT_RENEWED.includes(platform) ? { kind: 'server_error' } : { kind: 'token_expired' },
      { kind: 'accept_then_timeout', delayMs: 200 },
    ]
    await sandbox(scene, '/faults', { platform, call: 'reply', ...faults[nth % faults.length] })
  })
}
