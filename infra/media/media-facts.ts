import { fileTypeFromBuffer } from 'file-type'
import type { ByteSource } from './byte-source.ts'
import { documentFacts } from './document-facts.ts'
import { shownImageSize } from './image-facts.ts'
import type { MediaFacts } from './media.ts'
import { mp4Facts } from './mp4-facts.ts'

/** Neither an image or a video that can be shown, nor a document. The message says what it is instead: "a web page". */
export class NotMedia extends Error {
  constructor(what: string) {
    super(what)
    this.name = 'NotMedia'
  }
}

/** What type detection needs. */
const START_BYTES = 4100
const MP4_FAMILY = new Set(['video/mp4', 'video/quicktime', 'video/x-m4v', 'video/3gpp', 'video/3gpp2'])

/**
 * Facts from the bytes alone. For WebM and Matroska, only the type.
 *
 * @throws NotMedia
 */
export async function mediaFacts(source: ByteSource): Promise<MediaFacts> {
  if (source.size === 0) throw new NotMedia('an empty file')
  const start = await source.read(0, START_BYTES)
  const mimeType = (await fileTypeFromBuffer(start))?.mime ?? (isTiff(start) ? 'image/tiff' : '')
  const common = { mimeType, bytes: source.size }
  if (mimeType.startsWith('image/')) {
    const size = await shownImageSize(source, mimeType)
    if (size === 'damaged') throw new NotMedia(`a damaged image (${mimeType})`)
    return { mediaType: 'image', ...common, ...(size === 'unknown' ? {} : size) }
  }
  if (mimeType.startsWith('video/')) {
    const facts = MP4_FAMILY.has(mimeType) ? await mp4Facts(source) : {}
    if (!facts) throw new NotMedia(`a damaged video, or one without a picture (${mimeType})`)
    return { mediaType: 'video', ...common, ...facts }
  }
  const document = await documentFacts(source, mimeType)
  if (document === 'damaged') throw new NotMedia(`a damaged document (${mimeType})`)
  if (document) return { mediaType: 'document', ...common, ...document }
  throw new NotMedia(otherwise(mimeType, start))
}

/** The library looks at the first directory, which may be anywhere in the file (TIFF 6.0 §2). */
function isTiff(start: Buffer): boolean {
  return /^(II\*\0|MM\0\*)/.test(start.toString('latin1', 0, 4))
}

function otherwise(mimeType: string, start: Buffer): string {
  if (mimeType.startsWith('audio/')) return `an audio file (${mimeType})`
  const text = asText(start)
  const isPage = text !== undefined && /<(!doctype\s+html|html|head|body)[\s>]/i.test(text)
  if (text !== undefined && !isPage && /<svg[\s>]/i.test(text)) return 'an SVG drawing'
  if (mimeType !== '') return `a file of type ${mimeType}`
  if (text === undefined) return 'a file of unknown type'
  return isPage ? 'a web page' : 'a text file'
}

function asText(bytes: Buffer): string | undefined {
  try {
    // In stream mode, because the cut may split a character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
