import { open } from 'node:fs/promises'
import type { ByteSource } from '../byte-source.ts'
import { positionInPng, positionInWebp } from './chunks.ts'
import { positionInExif } from './exif.ts'
import { positionInHeif } from './heif.ts'
import { positionInJpeg } from './jpeg.ts'
import { positionInMp4 } from './mp4.ts'
import { collected, limited, type Patch, type Region } from './region.ts'

/** Formats in which a device writes where it was. */
const FORMATS: Readonly<Record<string, (file: Region) => AsyncGenerator<Patch>>> = {
  'image/jpeg': positionInJpeg,
  'image/png': positionInPng,
  'image/apng': positionInPng,
  'image/webp': positionInWebp,
  'image/tiff': positionInExif,
  'image/heic': positionInHeif,
  'image/heif': positionInHeif,
  'image/avif': positionInHeif,
  'video/mp4': positionInMp4,
  'video/quicktime': positionInMp4,
  'video/x-m4v': positionInMp4,
  'video/3gpp': positionInMp4,
  'video/3gpp2': positionInMp4,
}
const CHUNK_BYTES = 65_536

/**
 * What to overwrite in a file so that it no longer says where it was taken: its size and its picture stay as they are.
 *
 * Written here, because the libraries for it either rewrite the whole file or need Perl.
 *
 * @returns nothing if it has no position
 */
export async function positionIn(source: ByteSource, mimeType: string): Promise<readonly Patch[]> {
  const find = FORMATS[mimeType]
  return find ? collected(find(limited(source))) : []
}

export async function patchFile(path: string, patches: readonly Patch[]): Promise<void> {
  const file = await open(path, 'r+')
  try {
    for (const patch of patches) {
      if ('bytes' in patch) await file.write(patch.bytes, 0, patch.bytes.length, patch.start)
      else {
        const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, patch.end - patch.start), patch.fill)
        for (let at = patch.start; at < patch.end; at += chunk.length) {
          await file.write(chunk, 0, Math.min(chunk.length, patch.end - at), at)
        }
      }
    }
  } finally {
    await file.close()
  }
}
