import type { PartKey, VideoEvent, VideoSettings } from '../../video/video-events.ts'
import { counted, FAILED, quoted, sentence } from './wording.ts'

export function describeVideo(event: VideoEvent): string {
  switch (event.type) {
    case 'VideoDrafted':
      return sentence(`Saved as a draft, with ${plan(event.data)}`, quoted(event.data.prompt))
    case 'VideoRequested': {
      const { credits, prompt } = event.data
      return sentence(`Requested for ${counted(credits, 'credit')}, with ${plan(event.data)}`, quoted(prompt))
    }
    case 'RenderStarted':
      return sentence(`Started creating ${which(event.data)}`)
    case 'RenderSubmitted':
      return sentence(`The provider started creating ${which(event.data)}`)
    case 'RenderDeferred': {
      const { retryAt, error } = event.data
      return sentence(`Creating ${which(event.data)} failed and will be retried at ${retryAt}`, error)
    }
    case 'PartRendered':
      return sentence(`Finished ${which(event.data)}`, facts(event.data).join(', '))
    case 'PartFailed':
      return sentence(`Creating ${which(event.data)} ${FAILED[event.data.code]}`, event.data.error)
    case 'VideoReady':
      return 'The video is ready.'
    case 'VideoFailed':
      return sentence(`The video failed${paidBack(event.data.refund)}`, event.data.error)
    case 'VideoDeleted':
      return sentence(`The video was deleted${paidBack(event.data.refund)}`)
    case 'VideoMediaExpired':
      return "The video's files were removed to make room for newer media in the workspace (MEDIA_STORE_MAX)."
    case 'VideoFilesDeleted':
      return "The video's files were deleted from the media store."
  }
}

function plan({ scenes, aspectRatio, voiceover }: VideoSettings): string {
  const spoken = voiceover ? ' and a voiceover' : ''
  return `${counted(scenes.length, 'scene')} in ${aspectRatio}${spoken}`
}

function which({ part, attempt }: { readonly part: PartKey; readonly attempt: number }): string {
  return `${part === 'voiceover' ? 'the voiceover' : `scene ${part + 1}`} (attempt ${attempt})`
}

function facts(rendered: Extract<VideoEvent, { type: 'PartRendered' }>['data']): readonly string[] {
  const { file, provider, model, mimeType, bytes, durationMs } = rendered
  const maker = [provider, model].filter((name) => name !== undefined).join(' ')
  return [
    ...(file === undefined ? ['an upload'] : []),
    ...(maker === '' ? [] : [`created by ${maker}`]),
    mimeType,
    counted(bytes, 'byte'),
    ...(durationMs === undefined ? [] : [`${Math.round(durationMs / 100) / 10} s`]),
  ]
}

function paidBack(refund: number): string {
  return refund === 0 ? '' : `, with ${counted(refund, 'credit')} to be refunded`
}
