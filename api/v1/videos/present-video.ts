import type * as z from 'zod'
import type { ShownPart, ShownScene, VideoRow } from '../../../projections/models/videos.ts'
import type { VideoServices } from '../../kit/services.ts'
import type { videoSchema } from './video-schemas.ts'

type Shown = z.infer<typeof videoSchema>

/** The fraction of a part that is done at each step. */
const DONE_AT: Readonly<Record<ShownPart['step'], number>> = {
  ...{ waiting: 0, started: 0.1, submitted: 0.4, done: 1, failed: 1 },
}

/** A video as users see it. @param urlOf the public URL of a file in the media store */
export function presentVideo(row: VideoRow, urlOf: VideoServices['urlOf']): Shown {
  const { status, voiceover } = row
  const scenes = row.scenes.map((scene) => shownScene(scene, urlOf))
  const videoUrl = row.scenes.map((scene) => clipOf(scene, urlOf)).find((url) => url !== undefined)
  return {
    ...{ id: row.id, status, progressPct: progressOf(row), statusMessage: messageOf(row) },
    ...(status === 'ready' && videoUrl !== undefined && { videoUrl }),
    ...(voiceover?.file !== undefined && { voiceoverUrl: urlOf(voiceover.file) }),
    scenes,
    ...(row.prompt !== null && { prompt: row.prompt }),
    ...{ aspectRatio: row.aspectRatio, aiVoiceover: voiceover !== null, creditsCharged: row.credits },
    ...(voiceover?.voiceId !== undefined && { voiceId: voiceover.voiceId }),
    ...(row.mediaExpiredAt !== null && { mediaExpiredAt: row.mediaExpiredAt }),
    ...{ createdAt: row.createdAt, updatedAt: row.updatedAt },
  }
}

function shownScene(scene: ShownScene, urlOf: VideoServices['urlOf']): Shown['scenes'][number] {
  const { mediaSource, voiceoverScript, step, error } = scene
  const url = mediaSource === 'upload' ? scene.mediaUrl : clipOf(scene, urlOf)
  return {
    ...{ mediaSource, status: step === 'started' || step === 'submitted' ? 'rendering' : step },
    ...(mediaSource === 'ai' && { aiPrompt: scene.aiPrompt }),
    ...(voiceoverScript !== undefined && { voiceoverScript }),
    ...(url !== undefined && { mediaUrl: url }),
    ...(error !== undefined && { error }),
  }
}

/** The URL of a scene's clip, once the scene is done. */
function clipOf(scene: ShownScene, urlOf: VideoServices['urlOf']): string | undefined {
  if (scene.step !== 'done') return undefined
  if (scene.mediaSource === 'upload') return scene.mediaUrl
  return scene.file === undefined ? undefined : urlOf(scene.file)
}

/** Percentage; 100 is reserved for ready videos. */
function progressOf({ status, scenes, voiceover }: VideoRow): number {
  if (status === 'draft') return 0
  if (status === 'ready') return 100
  const parts = [...scenes, ...(voiceover ? [voiceover] : [])]
  const done = parts.reduce((sum, { step }) => sum + DONE_AT[step], 0)
  return Math.min(99, Math.floor((100 * done) / parts.length))
}

function messageOf({ status, scenes, voiceover, error, mediaExpiredAt: expiredAt }: VideoRow): string {
  switch (status) {
    case 'draft':
      return 'Draft. Nothing is generated.'
    case 'failed':
      return error ?? 'The video failed.'
    case 'ready':
      return ['Ready.', ...failuresOf(scenes, voiceover), ...(expiredAt === null ? [] : [EXPIRED])].join(' ')
    case 'processing':
      return underWay(scenes, voiceover)
  }
}

const EXPIRED = 'Its files were removed to make room for newer media in the workspace.'

function failuresOf(scenes: VideoRow['scenes'], voiceover: VideoRow['voiceover']): readonly string[] {
  const failed = scenes.flatMap(({ step, error = '' }, index) =>
    step === 'failed' ? [`Scene ${index + 1} could not be created: ${error}`] : [],
  )
  return voiceover?.step === 'failed'
    ? [...failed, `The voiceover could not be created: ${voiceover.error ?? ''}`]
    : failed
}

function underWay(scenes: VideoRow['scenes'], voiceover: VideoRow['voiceover']): string {
  const index = scenes.findIndex(({ step }) => step !== 'done' && step !== 'failed')
  const scene = scenes[index]
  const what = scene ? `scene ${index + 1} of ${scenes.length}` : 'the voiceover'
  const { step = 'waiting', error } = scene ?? voiceover ?? {}
  if (step === 'waiting' && error !== undefined) return `Waiting to try ${what} again: ${error}`
  return step === 'waiting' ? `Next: ${what}.` : `Creating ${what}.`
}
