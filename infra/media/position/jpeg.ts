import { jpegSegments } from '../jpeg-segments.ts'
import { positionInExif } from './exif.ts'
import { positionInMp4 } from './mp4.ts'
import { within, type Patch, type Region } from './region.ts'
import { positionInXmp } from './xmp.ts'

const EXIF = 'Exif\0\0'
const XMP = 'http://ns.adobe.com/xap/1.0/\0'
/** Followed by the packet's id, its length, and the offset of this piece (XMP specification part 3, §1.1.3.1). */
const MORE_XMP = 'http://ns.adobe.com/xmp/extension/\0'
const MORE_XMP_BYTES = MORE_XMP.length + 40

/** Other pictures and a clip may follow the picture: gain maps, motion photos (CIPA DC-007). */
const EMBEDDED = { jpeg: Buffer.from([0xff, 0xd8, 0xff]), mp4: Buffer.from('ftyp') }
const MOST_EMBEDDED = 50
/** Of the `ftyp` box, which is the first one. */
const MOST_BRAND_BYTES = 1_000
const CHUNK_BYTES = 65_536

export async function* positionInJpeg(jpeg: Region): AsyncGenerator<Patch> {
  const end = yield* positionInSegments(jpeg)
  for await (const { kind, at } of embedded(jpeg, end)) {
    if (kind === 'jpeg') yield* positionInSegments(within(jpeg, at))
    else yield* positionInMp4(within(jpeg, at))
  }
}

/** @returns where the segments end */
async function* positionInSegments(jpeg: Region): AsyncGenerator<Patch, number> {
  const xmp: Region[] = []
  let last = 2
  for await (const { marker, start, end } of jpegSegments(jpeg)) {
    last = end
    if (marker !== 0xe1) continue
    const segment = within(jpeg, start, end)
    const name = (await segment.read(0, MORE_XMP.length)).toString('latin1')
    if (name.startsWith(EXIF)) yield* positionInExif(within(segment, EXIF.length))
    if (name.startsWith(XMP)) yield* positionInXmp([within(segment, XMP.length)])
    if (name === MORE_XMP) xmp.push(within(segment, MORE_XMP_BYTES))
  }
  yield* positionInXmp(xmp)
  return last
}

/** Picture data have no such bytes: a zero follows each FF. */
async function* embedded(
  jpeg: Region,
  from: number,
): AsyncGenerator<{ readonly kind: keyof typeof EMBEDDED; readonly at: number }> {
  let found = 0
  // The chunks overlap, so that none is cut apart.
  for (let position = from; position < jpeg.size; position += CHUNK_BYTES) {
    const chunk = await jpeg.read(position, CHUNK_BYTES + 3)
    for (const kind of ['jpeg', 'mp4'] as const) {
      const needle = EMBEDDED[kind]
      for (let at = chunk.indexOf(needle); at >= 0 && at < CHUNK_BYTES; at = chunk.indexOf(needle, at + 1)) {
        const start = position + at - (kind === 'mp4' ? 4 : 0)
        if (kind === 'mp4' && !(await isBrand(jpeg, start))) continue
        if ((found += 1) > MOST_EMBEDDED) return
        yield { kind, at: start }
      }
    }
  }
}

async function isBrand(jpeg: Region, start: number): Promise<boolean> {
  const size = start < 0 ? Buffer.alloc(0) : await jpeg.read(start, 4)
  return size.length === 4 && size.readUInt32BE() >= 8 && size.readUInt32BE() <= MOST_BRAND_BYTES
}
