import type { PartKey } from '../../domain/video/video-events.ts'
import { mediaName } from '../../infra/media/media-name.ts'

type Extension = Parameters<typeof mediaName>[2]

/** The name of a part's file: the same each time it is generated. */
export function fileOf(secret: Buffer, videoId: string, part: PartKey, extension: Extension): string {
  return mediaName(secret, [videoId, part], extension)
}

/** The names of all files that a part may have. */
export function filesOf(secret: Buffer, videoId: string, part: PartKey): readonly string[] {
  const extensions = part === 'voiceover' ? (['wav', 'mp3', 'm4a'] as const) : (['mp4'] as const)
  return extensions.map((extension) => fileOf(secret, videoId, part, extension))
}
