import { z } from 'zod'
import type { PlatformKey } from '../domain/platform.ts'
import { checkedMedia } from './checked-media.ts'
import { callAs, callWith, type Server } from './generic-call.ts'
import type { SpooledMedia } from './media.ts'
import {
  PlatformError,
  type FirstComment,
  type Platform,
  type PlatformAccount,
  type PlatformIo,
  type PublishHandle,
  type PublishJob,
  type Search,
} from './platform.ts'

const MAX_MEDIA_BYTES = 512 * 1024 * 1024
/** Characters (code points): the protocol's limit. */
const TEXT_LIMIT = 2_200
const UPLOAD_TIMEOUT_MS = 600_000

const credentials = z.object({
  accessToken: z.string().min(1).describe('access token of the account'),
  refreshToken: z.string().min(1).optional().describe('what a new access token is had for, when this one has expired'),
})
const handleSchema = z.object({ mediaId: z.string() })
const me = z.object({ id: z.string().min(1), label: z.string() })
const uploaded = z.object({ mediaId: z.string().min(1) })
const post = z.object({ id: z.string().min(1), url: z.string() })
const posts = z.object({ posts: z.array(post) })
const comment = z.object({ id: z.string() })
const comments = z.object({ comments: z.array(comment) })

/**
 * The connector of a platform that has none of its own yet: it speaks the plain protocol of the sandbox, to whatever
 * server the account's base URL names.
 */
export function genericPlatform(key: PlatformKey, options: { readonly firstComment: boolean }): Platform {
  return {
    key,
    proof: { image: 'searchable', video: 'searchable' },
    takes: { image: { maxBytes: MAX_MEDIA_BYTES }, video: { maxBytes: MAX_MEDIA_BYTES } },
    check: ({ text }) => {
      const length = [...text].length
      return length > TEXT_LIMIT ? [`${key} takes ${TEXT_LIMIT} characters, this text has ${length}.`] : []
    },
    visibleWithinMs: 1_000,
    credentials,
    connect: async (given, baseUrl, io) => {
      const result = credentials.safeParse(given)
      if (!result.success) {
        const wrong = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
        throw new PlatformError('permanent', `${key} credentials: ${wrong.join('; ')}`)
      }
      const server = { platform: key, baseUrl: required(key, baseUrl), ...io }
      const { answer, credentials: working } = await callWith(server, given, { method: 'GET', path: '/me' }, me)
      return { externalId: answer.id, label: answer.label, credentials: working }
    },
    prepare: async function (job, io) {
      return { outcome: 'ready', handle: await uploadedMedia(await checkedMedia(this, job, io), job, io) }
    },
    publish: async (job, handle, io) => {
      const json = {
        clientToken: clientToken(job.key),
        mediaId: mediaIdOf(key, handle),
        text: job.text,
        createdAt: job.queuedAt,
      }
      const call = { method: 'POST', path: '/posts', json, effect: 'visible' } as const
      const { id, url } = await callAs(serverOf(job.account, io), io.credentials, call, post)
      return { outcome: 'published', published: { postId: id, url } }
    },
    find: (job, _handle, io) =>
      search(async () => {
        const path = `/posts?clientToken=${clientToken(job.key)}`
        const found = await callAs(serverOf(job.account, io), io.credentials, { method: 'GET', path }, posts)
        return found.posts.map(({ id, url }) => ({ postId: id, url }))
      }),
    ...(options.firstComment && { firstComment }),
  }
}

async function uploadedMedia(media: SpooledMedia, job: PublishJob, io: PlatformIo): Promise<PublishHandle> {
  try {
    const call = {
      method: 'POST',
      path: `/media?sourceUrl=${encodeURIComponent(job.mediaUrl)}`,
      content: { type: media.facts.mimeType, bytes: media.facts.bytes, open: () => media.open() },
      timeoutMs: UPLOAD_TIMEOUT_MS,
    } as const
    const { mediaId } = await callAs(serverOf(job.account, io), io.credentials, call, uploaded)
    return { mediaId }
  } finally {
    await media.dispose()
  }
}

const firstComment: FirstComment = {
  post: async (job, published, { key, text }, io) => {
    const json = { clientToken: clientToken(key), text }
    const call = { method: 'POST', path: commentsPath(published.postId), json, effect: 'visible' } as const
    await callAs(serverOf(job.account, io), io.credentials, call, comment)
  },
  find: (job, published, { key }, io) =>
    search(async () => {
      const path = `${commentsPath(published.postId)}?clientToken=${clientToken(key)}`
      const found = await callAs(serverOf(job.account, io), io.credentials, { method: 'GET', path }, comments)
      return found.comments.map(() => undefined)
    }),
}

/** @throws PlatformError when looking again later may tell */
async function search<Found>(look: () => Promise<readonly Found[]>): Promise<Search<Found>> {
  try {
    for (const found of await look()) return { outcome: 'found', found }
    return { outcome: 'absent' }
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'permanent') return { outcome: 'unknown' }
    throw error
  }
}

function serverOf({ platform, baseUrl }: PlatformAccount, { http, clock, signal }: PlatformIo): Server {
  return { platform, baseUrl: required(platform, baseUrl), http, clock, signal }
}

function required(platform: PlatformKey, baseUrl: string | undefined): string {
  if (baseUrl !== undefined) return baseUrl
  throw new PlatformError(
    'permanent',
    `${platform} has no connector of its own yet; give --base-url of a server that speaks the sandbox protocol`,
  )
}

function mediaIdOf(platform: PlatformKey, handle: PublishHandle): string {
  const result = handleSchema.safeParse(handle)
  if (result.success) return result.data.mediaId
  throw new PlatformError('permanent', `${platform}: the upload of this post is not known; publish it anew`)
}

/** The same for every attempt, and known as ours. */
function clientToken(key: string): string {
  return `fanfare-${key}`
}

function commentsPath(postId: string): string {
  return `/posts/${encodeURIComponent(postId)}/comments`
}
