import { crc32 } from 'node:zlib'
import { bytesSource } from '../byte-source.ts'
import { positionInExif } from './exif.ts'
import { collected, patchBytes, within, type Patch, type Region } from './region.ts'
import { positionInXmp } from './xmp.ts'

/*
 * Files whose content is a list of chunks: their size, type and bytes.
 */

/** A large picture has several thousand. */
const MOST_CHUNKS = 20_000
/** Larger than any metadata. */
const MOST_METADATA_BYTES = 16_000_000
const PNG_XMP = 'XML:com.adobe.xmp\0'

/** PNG 3rd edition §5.3, §11.3.2.5: a checksum follows each chunk. */
export async function* positionInPng(png: Region): AsyncGenerator<Patch> {
  let position = 8
  for (let chunk = 0; chunk < MOST_CHUNKS; chunk += 1) {
    const head = await png.read(position, 8)
    if (head.length < 8) return
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4)]
    if ((type === 'eXIf' || type === 'iTXt') && length <= MOST_METADATA_BYTES) {
      yield* checked(
        within(png, position + 4, position + 8 + length),
        type === 'eXIf' ? positionInExif : positionInText,
      )
    }
    position += 12 + length
  }
}

/** @param typed the type and the bytes of a chunk, which are what the checksum is of */
async function* checked(typed: Region, find: (region: Region) => AsyncGenerator<Patch>): AsyncGenerator<Patch> {
  const bytes = Buffer.from(await typed.read(0, typed.size))
  const patches = await collected(find(within({ ...bytesSource(bytes), offset: 0 }, 4)))
  if (patches.length === 0) return
  patchBytes(bytes, patches)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  yield { start: typed.offset, bytes }
  yield { start: typed.offset + typed.size, bytes: sum }
}

/** Flags, a language and a translated keyword follow the keyword. Compressed text cannot be changed in its place. */
async function* positionInText(text: Region): AsyncGenerator<Patch> {
  const start = (await text.read(0, 200)).toString('latin1')
  if (start.startsWith(PNG_XMP) && start[PNG_XMP.length] === '\0') yield* positionInXmp([text])
}

/** RIFF: chunks are padded to an even size. */
export async function* positionInWebp(webp: Region): AsyncGenerator<Patch> {
  let position = 12
  for (let chunk = 0; chunk < MOST_CHUNKS; chunk += 1) {
    const head = await webp.read(position, 8)
    if (head.length < 8) return
    const [type, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)]
    const content = within(webp, position + 8, position + 8 + length)
    if (type === 'EXIF') {
      // Some writers put the prefix of JPEG before it.
      const isPrefixed = (await content.read(0, 6)).toString('latin1') === 'Exif\0\0'
      yield* positionInExif(within(content, isPrefixed ? 6 : 0))
    }
    if (type === 'XMP ') yield* positionInXmp([content])
    position += 8 + length + (length % 2)
  }
}
