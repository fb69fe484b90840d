import type { AspectRatio } from '../post/aspect-ratio.ts'
import { Refusal } from '../core/errors.ts'
import type { Scene, VideoSettings } from './video-events.ts'

/** A video request (api-spec §4, POST /videos body). */
export interface VideoRequest {
  readonly prompt?: string | undefined
  readonly scenes?: readonly SceneRequest[] | undefined
  readonly aspectRatio: AspectRatio
  readonly aiVoiceover: boolean
  readonly voiceId?: string | undefined
}

export interface SceneRequest {
  /** Absent: an upload when there is a `mediaUrl`, else made by the AI. */
  readonly mediaSource?: Scene['mediaSource'] | undefined
  readonly aiPrompt?: string | undefined
  readonly mediaUrl?: string | undefined
  readonly voiceoverScript?: string | undefined
}

/** In credits. */
export interface VideoPrices {
  readonly perScene: number
  readonly voiceover: number
}

/**
 * Turns a request into settings, with defaults filled in.
 *
 * @throws Refusal invalid_request naming the missing field
 */
export function planVideo(workspaceId: string, request: VideoRequest): VideoSettings {
  const { aspectRatio, aiVoiceover, voiceId } = request
  const prompt = isBlank(request.prompt) ? undefined : request.prompt
  const scenes = request.scenes?.map((scene, index) => planScene(scene, index, prompt)) ?? [implicitScene(prompt)]
  const settings: VideoSettings = {
    ...{ workspaceId, scenes, aspectRatio },
    ...(prompt !== undefined && { prompt }),
    ...(aiVoiceover && { voiceover: voiceId === undefined ? {} : { voiceId } }),
  }
  if (aiVoiceover && spokenText(settings) === '') {
    throw new Refusal(
      'invalid_request',
      'aiVoiceover needs text to speak: add a voiceoverScript to a scene, or a prompt',
    )
  }
  return settings
}

/** The text of the voiceover: the scripts of the scenes that have one, else the prompt; empty when there is neither. */
export function spokenText({ scenes, prompt = '' }: Pick<VideoSettings, 'scenes' | 'prompt'>): string {
  const scripts = scenes.flatMap(({ voiceoverScript }) => (isBlank(voiceoverScript) ? [] : [voiceoverScript]))
  return scripts.length > 0 ? scripts.join('\n\n') : prompt
}

/** The price of a video (decisions, "Videos and credits"). */
export function priceOf({ scenes, voiceover }: VideoSettings, prices: VideoPrices): number {
  const made = scenes.filter(({ mediaSource }) => mediaSource === 'ai').length
  return made * prices.perScene + (voiceover ? prices.voiceover : 0)
}

function implicitScene(prompt: string | undefined): Scene {
  if (prompt !== undefined) return { mediaSource: 'ai', aiPrompt: prompt }
  throw new Refusal('invalid_request', 'prompt is required unless every scene has its own aiPrompt')
}

function planScene(request: SceneRequest, index: number, prompt: string | undefined): Scene {
  const { mediaUrl, mediaSource = mediaUrl === undefined ? 'ai' : 'upload' } = request
  const script = isBlank(request.voiceoverScript) ? {} : { voiceoverScript: request.voiceoverScript }
  if (mediaSource === 'upload') {
    if (mediaUrl !== undefined) return { mediaSource, mediaUrl, ...script }
    throw new Refusal('invalid_request', `scenes[${index}].mediaUrl is required for an upload scene`)
  }
  const aiPrompt = isBlank(request.aiPrompt) ? prompt : request.aiPrompt
  if (aiPrompt !== undefined) return { mediaSource, aiPrompt, ...script }
  throw new Refusal(
    'invalid_request',
    `scenes[${index}].aiPrompt is required for an ai scene, unless there is a prompt for all scenes`,
  )
}

function isBlank(text: string | undefined): text is undefined | '' {
  return text === undefined || text.trim() === ''
}
