import { mediaBoxes, type Box, type Boxes } from '../media-box.ts'
import { filled, within, type Patch, type Region } from './region.ts'
import { positionInXmp } from './xmp.ts'

/** Where metadata may be: of the movie and of its tracks. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  file: ['moov', 'uuid'],
  moov: ['trak', 'udta', 'meta'],
  trak: ['udta', 'meta'],
  udta: ['meta', 'XMP_'],
}
/** ISO 6709 text (QuickTime File Format, "User data atoms"), and 3GPP's place (TS 26.244 §8.10). */
const POSITIONS = new Set(['\u00a9xyz', 'loci'])
/** Such as `com.apple.quicktime.location.ISO6709`. */
const POSITION_KEY = /location|gps/i
const XMP_ID = 'be7acfcb97a942e89c71999491e3afac'
const MOST_KEY_BYTES = 65_536
const FREE = Buffer.from('free')

/** Turns the boxes with the position of an mp4 or mov into free space. */
export async function* positionInMp4(file: Region): AsyncGenerator<Patch> {
  yield* positionInBoxes(file, mediaBoxes(file), 'file', { start: 0, end: file.size })
}

async function* positionInBoxes(
  file: Region,
  boxes: Boxes,
  parent: string,
  { start, end }: Pick<Box, 'start' | 'end'>,
): AsyncGenerator<Patch> {
  for await (const box of boxes.between(start, end)) {
    const { type } = box
    if (parent === 'udta' && POSITIONS.has(type)) yield* freed(file, box)
    else if (!INSIDE[parent]?.includes(type)) continue
    else if (type === 'meta') yield* positionInMeta(file, boxes, box)
    else if (type === 'XMP_') yield* positionInXmp([within(file, box.start, box.end)])
    else if (type === 'uuid') yield* positionInUuid(file, boxes, box)
    else yield* positionInBoxes(file, boxes, type, box)
  }
}

async function* positionInUuid(file: Region, boxes: Boxes, box: Box): AsyncGenerator<Patch> {
  const id = (await boxes.content(box, 16)).toString('hex')
  if (id === XMP_ID) yield* positionInXmp([within(file, box.start + 16, box.end)])
}

/** Items are named by their type, or by its number in a list of keys. */
async function* positionInMeta(file: Region, boxes: Boxes, meta: Box): AsyncGenerator<Patch> {
  const start = await metaContent(boxes, meta)
  const keys = await boxes.find(['keys'], { start, end: meta.end })
  const named = keys ? keysIn(await boxes.content(keys, MOST_KEY_BYTES)) : []
  const list = await boxes.find(['ilst'], { start, end: meta.end })
  if (!list) return
  for await (const item of boxes.between(list.start, list.end)) {
    const key = named[Buffer.from(item.type, 'latin1').readUInt32BE() - 1] ?? ''
    if (POSITIONS.has(item.type) || POSITION_KEY.test(key)) yield* freed(file, item)
  }
}

/** In an mp4 a version precedes the boxes inside, in a mov none does. */
export async function metaContent(boxes: Boxes, meta: Box): Promise<number> {
  const isPlain = (await boxes.content(meta, 8)).toString('latin1', 4) === 'hdlr'
  return meta.start + (isPlain ? 0 : 4)
}

function keysIn(bytes: Buffer): readonly string[] {
  const keys: string[] = []
  for (let at = 8; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at)
    if (size < 8) break
    keys.push(bytes.toString('latin1', at + 8, at + size))
    at += size
  }
  return keys
}

function* freed(file: Region, { at, start, end }: Box): Generator<Patch> {
  yield { start: file.offset + at + 4, bytes: FREE }
  yield filled(within(file, start, end), 0)
}
