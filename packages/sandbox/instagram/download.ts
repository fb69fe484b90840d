import { fileTypeFromBuffer } from 'file-type'
import { imageSize } from 'image-size'
import { download } from '../meta/download.ts'
import type { FaultOf } from '../meta/containers.ts'
import { isStory } from './new-container.ts'

/** Instagram's subcodes for invalid media. */
const UNFETCHABLE = '2207052'
const TOO_SLOW = '2207003'
const IMAGE_TOO_LARGE = '2207004'
const IMAGE_FORMAT = '2207005'
const IMAGE_RATIO = '2207009'
const VIDEO_FORMAT = '2207026'

const MAX_BYTES = { image: 8_000_000, video: 300_000_000 } as const
const STORY_MAX_BYTES = { image: 8_000_000, video: 100_000_000 } as const
const VIDEO_TYPES: readonly (string | undefined)[] = ['video/mp4', 'video/quicktime']
/** Enough to detect a video's type. The size of an image may come after a megabyte of metadata. */
const VIDEO_HEAD_BYTES = 4_100

/** The subcode for invalid media. */
export const faultOf: FaultOf = async ({ mediaUrl, mediaType, details }, closing) => {
  const isOfStory = isStory(details)
  const maxBytes = (isOfStory ? STORY_MAX_BYTES : MAX_BYTES)[mediaType]
  const headBytes = mediaType === 'image' ? maxBytes : VIDEO_HEAD_BYTES
  const media = await download(mediaUrl, { headBytes, maxBytes }, closing)
  switch (media.is) {
    case 'elsewhere':
      return undefined
    case 'slow':
      return TOO_SLOW
    case 'unreachable':
      return UNFETCHABLE
    case 'fetched': {
      const judge = mediaType === 'image' ? imageFault : videoFault
      // A truncated or corrupt file cannot be judged.
      return judge(media.head, media.bytes, maxBytes, isOfStory).catch(() => UNFETCHABLE)
    }
  }
}

async function imageFault(
  head: Buffer,
  bytes: number,
  maxBytes: number,
  isOfStory: boolean,
): Promise<string | undefined> {
  if (bytes > maxBytes) return IMAGE_TOO_LARGE
  if ((await fileTypeFromBuffer(head))?.mime !== 'image/jpeg') return IMAGE_FORMAT
  if (isOfStory) return undefined
  const { width, height } = imageSize(new Uint8Array(head))
  const ratio = width / height
  return ratio < 0.8 || ratio >= 1.915 ? IMAGE_RATIO : undefined
}

async function videoFault(head: Buffer, bytes: number, maxBytes: number): Promise<string | undefined> {
  if (bytes > maxBytes || !VIDEO_TYPES.includes((await fileTypeFromBuffer(head))?.mime)) return VIDEO_FORMAT
  return undefined
}
