import * as z from 'zod'
import { webhookSecrets } from '../../infra/postgres/webhook-secrets.ts'
import { verify, verifyBody } from '../../docs/webhooks/verify.ts'
import { post } from '../../domain/post/post.ts'
import { webhook } from '../../domain/webhook/webhook.ts'
import type { Core } from '../../app/wiring/core.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { beginStream } from './begin-stream.ts'
import { ids } from './post.ts'
import type { Received } from './receiver.ts'

export interface RegisteredWebhook {
  readonly workspaceId: string
  /** Its path at the receiver, unique per webhook. */
  readonly path: string
  readonly secret: string
}

export interface FinishedPost {
  readonly id: string
  readonly workspaceId: string
}

/** The message body, as far as it is checked here (api-spec §6). */
const bodySchema = z.looseObject({ createdAt: z.iso.datetime(), data: z.looseObject({ runId: z.string() }) })

export const bodyOf = (message: Received) => bodySchema.parse(JSON.parse(message.body))

/** Registers webhooks in new workspaces, or in given ones; resolves once the service knows them. */
export async function registerWebhooks(
  core: Core,
  receiverUrl: string,
  { workspaces, each }: { readonly workspaces: number | readonly string[]; readonly each: number },
): Promise<readonly RegisteredWebhook[]> {
  const secrets = webhookSecrets(core.vault)
  const registered: RegisteredWebhook[] = []
  const owners =
    typeof workspaces === 'number' ? Array.from({ length: workspaces }, () => resourceId('ws', ids.ulid())) : workspaces
  for (const workspaceId of owners) {
    for (let nth = 0; nth < each; nth += 1) {
      const id = resourceId('wh', ids.ulid())
      const path = `/${id}`
      const secret = await secrets.create(workspaceId, id)
      const data = { workspaceId, url: `${receiverUrl}${path}`, events: ['post.published' as const] }
      await beginStream(core.log, webhook, id, { type: 'WebhookRegistered', data })
      registered.push({ workspaceId, path, secret })
    }
  }
  return registered
}

/** A finished post. Of its events only the last one is written: webhook messages are built from that one alone. */
export async function finishPost({ log }: Core, workspaceId: string): Promise<FinishedPost> {
  const id = resourceId('post', ids.ulid())
  const rkey = ids.ulid()
  const [postId, url] = [`at://did:plc:bench/app.bsky.feed.post/${rkey}`, `https://bsky.app/${rkey}`]
  const results = { bluesky: [{ accountId: 'acc_01JD0000000000000000000000', ok: true as const, postId, url }] }
  const data = { status: 'published' as const, okCount: 1, total: 1, workspaceId, results }
  await beginStream(log, post, id, { type: 'PostFinished', data })
  return { id, workspaceId }
}

/** @throws Error unless each webhook received one message per post of its workspace, with valid signatures */
export function mustBeRight(
  received: readonly Received[],
  posts: readonly FinishedPost[],
  webhooks: readonly RegisteredWebhook[],
): void {
  const owed = new Map<string, string>(
    posts.flatMap(({ id, workspaceId }) =>
      webhooks
        .filter((one) => one.workspaceId === workspaceId)
        .map((one) => [`${one.path} ${id}`, one.secret] as const),
    ),
  )
  for (const message of received) {
    const { path, headers, body } = message
    const name = `${path} ${bodyOf(message).data.runId}`
    const secret = owed.get(name)
    if (secret === undefined) throw new Error(`${name} was delivered twice or to the wrong webhook`)
    owed.delete(name)
    const bytes = Buffer.from(body)
    if (!verify(secret, headers, bytes) || !verifyBody(secret, headers, bytes))
      throw new Error(`${name} has a wrong signature`)
  }
  if (owed.size > 0) throw new Error(`${owed.size} deliveries are missing`)
}
