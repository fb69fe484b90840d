import * as z from 'zod'
import { ASPECT_RATIOS } from '../post/aspect-ratio.ts'
import type { EventOf } from '../core/event.ts'
import { ERASED, type ErasedFields } from '../core/personal-data.ts'
import { text } from '../core/text.ts'

/** The longest prompt or voiceover script of a scene, in UTF-16 code units. */
export const LONGEST_PROMPT = 4_000
export const MOST_SCENES = 20
const error = text(2000)
/** A scene's index, from 0, or the voiceover. */
const part = z.union([z.int().nonnegative(), z.literal('voiceover')])
export type PartKey = z.infer<typeof part>
const attempt = { part, attempt: z.int().positive() }

const common = { voiceoverScript: text(LONGEST_PROMPT).optional() }
const scene = z.discriminatedUnion('mediaSource', [
  z.object({ mediaSource: z.literal('ai'), aiPrompt: text(LONGEST_PROMPT), ...common }),
  z.object({ mediaSource: z.literal('upload'), mediaUrl: text(2000), ...common }),
])
export type Scene = z.infer<typeof scene>

/** What to make, with all defaults filled in. */
export const videoSettings = z.object({
  workspaceId: z.string(),
  /** As requested; the scenes define what each is made of. */
  prompt: text(LONGEST_PROMPT).optional(),
  scenes: z.array(scene).min(1).max(MOST_SCENES),
  aspectRatio: z.enum(ASPECT_RATIOS),
  /** The spoken text is derived from the scenes and the prompt (`spokenText`). */
  voiceover: z.object({ voiceId: text(100).optional() }).optional(),
})
export type VideoSettings = Readonly<z.infer<typeof videoSettings>>

const credits = z.int().nonnegative()
/** A charge without a video is refunded: a reactor adds it to the workspace's credits. */
const refund = { workspaceId: z.string(), refund: credits }

export const videoEvents = {
  /** Saved settings; nothing is made of them yet. */
  VideoDrafted: videoSettings,
  /** `credits`: the amount charged beforehand. */
  VideoRequested: videoSettings.extend({ credits }),
  /** The last write before the provider is called: from here on the job may have started, and cost money. */
  RenderStarted: z.object(attempt),
  /** `handle` identifies the provider's job. */
  RenderSubmitted: z.object({ ...attempt, handle: text(8_000) }),
  RenderDeferred: z.object({ ...attempt, error, retryAt: z.iso.datetime() }),
  /** `file` is its name in the media store; absent for an upload, which stays where it is. */
  PartRendered: z.object({
    ...attempt,
    file: text(200).optional(),
    mimeType: text(100),
    bytes: z.int().nonnegative(),
    durationMs: z.number().nonnegative().optional(),
    provider: text(100).optional(),
    model: text(200).optional(),
  }),
  /** `unknown`: the provider may have started the job, and nothing can confirm it; a retry could be charged twice. */
  PartFailed: z.object({ ...attempt, error, code: z.enum(['permanent', 'gave_up', 'unknown', 'timeout']) }),
  VideoReady: z.object({}),
  /** Its first event if the order was interrupted between the charge and `VideoRequested`: there is no video then. */
  VideoFailed: z.object({ error, ...refund }),
  /** `files`: whether the media store may hold any. */
  VideoDeleted: z.object({ files: z.boolean(), ...refund }),
  /** The video's files make room for the workspace's newer media; the rest of the video stays. */
  VideoMediaExpired: z.object({ workspaceId: z.string() }),
  /** The media store no longer holds any of its files. */
  VideoFilesDeleted: z.object({}),
}

const erasedSettings = { prompt: undefined, scenes: [{ mediaSource: 'upload' as const, mediaUrl: ERASED }] }

export const erasedVideo = {
  VideoDrafted: erasedSettings,
  VideoRequested: erasedSettings,
} satisfies ErasedFields<typeof videoEvents>

export type VideoEvent = EventOf<typeof videoEvents>
