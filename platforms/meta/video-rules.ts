import type { MediaFacts } from '../../infra/media/media.ts'
import { ratioOf, shownRatio, shownSeconds } from './measures.ts'

const TYPES: readonly string[] = ['video/mp4', 'video/quicktime']
const MAX_WIDTH = 1_920
const RATIO = { min: 0.01, max: 10 } as const

/** What other videos are converted to. Meta documents H.264 and HEVC, AAC, and 60 frames per second. */
export const CONTAINER_VIDEOS = {
  ...{ types: TYPES, videoCodecs: ['h264', 'hevc'], audioCodecs: ['aac'] },
  ...{ width: MAX_WIDTH, fps: 60 },
} as const

/** Every Meta rule for videos in containers that this one breaks, except the size limit. */
export function brokenByVideo(
  name: string,
  { minMs, maxMs }: { readonly minMs: number; readonly maxMs: number },
  facts: MediaFacts,
): readonly string[] {
  const { mimeType, width, height, durationMs } = facts
  const ratio = ratioOf(facts)
  return [
    ...(TYPES.includes(mimeType)
      ? []
      : [`${name} accepts videos as MP4 or MOV (${TYPES.join(', ')}); this one is ${mimeType}.`]),
    ...(width !== undefined && width > MAX_WIDTH
      ? [`${name} accepts videos of at most ${MAX_WIDTH} pixels in width; this one has ${width}.`]
      : []),
    ...(ratio !== undefined && (ratio < RATIO.min || ratio > RATIO.max)
      ? [
          `${name} accepts videos with a ratio between 0.01:1 and 10:1; this one is ${width}x${height}, ${shownRatio(ratio)}.`,
        ]
      : []),
    ...(durationMs !== undefined && durationMs < minMs
      ? [`${name} accepts videos of at least ${shownSeconds(minMs)}; this one is ${shownSeconds(durationMs)}.`]
      : []),
    ...(durationMs !== undefined && durationMs > maxMs
      ? [`${name} accepts videos of at most ${shownSeconds(maxMs)}; this one is ${shownSeconds(durationMs)}.`]
      : []),
  ]
}
