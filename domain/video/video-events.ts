import { z } from 'zod'
import { ASPECT_RATIOS } from '../post/aspect-ratio.ts'
import type { EventOf } from '../core/event.ts'
import { text } from '../core/text.ts'

/** The longest prompt of a scene, and the longest text spoken for one, in UTF-16 code units. */
export const LONGEST_PROMPT = 4_000
export const MOST_SCENES = 20
const error = text(2000)
/** The number of a scene, from 0, or the voiceover. */
const part = z.union([z.int().nonnegative(), z.literal('voiceover')])
export type PartKey = z.infer<typeof part>
const attempt = { part, attempt: z.int().positive() }

const common = { voiceoverScript: text(LONGEST_PROMPT).optional() }
const scene = z.discriminatedUnion('mediaSource', [
  z.object({ mediaSource: z.literal('ai'), aiPrompt: text(LONGEST_PROMPT), ...common }),
  z.object({ mediaSource: z.literal('upload'), mediaUrl: text(2000), ...common }),
])
export type Scene = z.infer<typeof scene>

/** What is to be made, with all defaults filled in. */
export const videoSettings = z.object({
  workspaceId: z.string(),
  /** As it was asked for; what each scene is made of stands in the scenes. */
  prompt: text(LONGEST_PROMPT).optional(),
  scenes: z.array(scene).min(1).max(MOST_SCENES),
  aspectRatio: z.enum(ASPECT_RATIOS),
  /** What it says follows from the scenes (`spokenText`). */
  voiceover: z.object({ voiceId: text(100).optional() }).optional(),
})
export type VideoSettings = Readonly<z.infer<typeof videoSettings>>

const credits = z.int().nonnegative()
/** What ends without a video is paid back: by a reactor, onto the workspace's credits. */
const refund = { workspaceId: z.string(), refund: credits }

export const videoEvents = {
  /** Settings that are kept; nothing is made of them. */
  VideoDrafted: videoSettings,
  /** `credits`: what was charged for it before. */
  VideoRequested: videoSettings.extend({ credits }),
  /** The last write before a provider is asked: from here on it may have begun, and be paid for. */
  RenderStarted: z.object(attempt),
  /** `handle`: by which the provider's job is looked at from now on. */
  RenderSubmitted: z.object({ ...attempt, handle: text(8_000) }),
  RenderDeferred: z.object({ ...attempt, error, retryAt: z.iso.datetime() }),
  /** `file`: its name in the media store. Absent of an upload, which stays where it is. */
  PartRendered: z.object({
    ...attempt,
    file: text(200).optional(),
    mimeType: text(100),
    bytes: z.int().nonnegative(),
    durationMs: z.number().nonnegative().optional(),
    provider: text(100).optional(),
    model: text(200).optional(),
  }),
  /** `unknown`: the provider may have begun it, and nothing can tell; asking again could be paid for twice. */
  PartFailed: z.object({ ...attempt, error, code: z.enum(['permanent', 'gave_up', 'unknown', 'timeout']) }),
  VideoReady: z.object({}),
  VideoFailed: z.object({ error, ...refund }),
  /** `files`: whether any may be in the media store. */
  VideoDeleted: z.object({ files: z.boolean(), ...refund }),
  /** Its files make room for newer ones of the workspace; all else of the video stays. */
  VideoMediaExpired: z.object({ workspaceId: z.string() }),
  /** Nothing of it is in the media store any more. */
  VideoFilesDeleted: z.object({}),
}

export type VideoEvent = EventOf<typeof videoEvents>
