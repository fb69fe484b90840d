import * as z from 'zod'
import { GenerationError } from './generation-error.ts'
import { jsonIn } from './provider-words.ts'
import { beginAt, lookAt, messageIn, type SandboxPlace } from './sandbox-generation.ts'
import { MAX_HANDLE_CHARS, type ClipLook, type VideoModel } from './video.ts'

const TIMEOUT_MS = 30_000
/** A clip takes one or two seconds. */
const LOOK_AGAIN_MS = 500

const begun = z.object({ id: z.string().min(1).max(MAX_HANDLE_CHARS) })
const job = z.discriminatedUnion('status', [
  z.object({ status: z.literal('rendering') }),
  z.object({ status: z.literal('done'), url: z.url(), model: z.string() }),
  z.object({ status: z.literal('failed'), error: z.string() }),
])

/** The sandbox's renderer (`packages/sandbox/ai/videos.ts`), which turns prompts into title cards. */
export function sandboxVideo(place: SandboxPlace): VideoModel {
  return {
    proof: 'idempotent-key',
    begin: async ({ key, prompt, aspectRatio }, signal) => {
      const limits = { timeoutMs: TIMEOUT_MS, signal }
      const answer = await beginAt(place, '/ai/videos', { key, prompt, aspectRatio }, limits)
      const parsed = begun.safeParse(jsonIn(answer))
      if (parsed.success) return parsed.data.id
      throw new GenerationError('ambiguous', 'The response from the sandbox does not identify the job.')
    },
    look: async (handle, _request, signal) => {
      const path = `/ai/videos/${encodeURIComponent(handle)}`
      const answer = await lookAt(place, path, { timeoutMs: TIMEOUT_MS, signal })
      if (answer.status === 404) throw new GenerationError('permanent', 'The sandbox no longer has the job.')
      if (answer.status !== 200) throw new GenerationError('retryable', messageIn(answer))
      const parsed = job.safeParse(jsonIn(answer))
      if (parsed.success) return lookOf(parsed.data)
      throw new GenerationError('retryable', 'The sandbox did not return the status of the job.')
    },
  }
}

function lookOf(shown: z.infer<typeof job>): ClipLook {
  switch (shown.status) {
    case 'rendering':
      return { state: 'rendering', lookAgainMs: LOOK_AGAIN_MS }
    case 'done':
      return { state: 'done', clip: { url: shown.url }, provider: 'sandbox', model: shown.model }
    case 'failed':
      throw new GenerationError('permanent', shown.error)
  }
}
