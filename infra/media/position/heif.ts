import { mediaBoxes, type Box, type Boxes } from '../media-box.ts'
import { positionInExif } from './exif.ts'
import { metaContent, positionInMp4 } from './mp4.ts'
import { within, type Patch, type Region } from './region.ts'
import { positionInXmp } from './xmp.ts'

/** A large picture has a thousand tiles. */
const MOST_ITEMS = 10_000
const MOST_EXTENTS = 100
const MOST_LIST_BYTES = 1_000_000

/** HEIC and AVIF: EXIF and XMP are items, whose bytes a table finds (ISO/IEC 14496-12 §8.11). */
export async function* positionInHeif(file: Region): AsyncGenerator<Patch> {
  const boxes = mediaBoxes(file)
  for await (const box of boxes.between(0, file.size)) {
    // The clip of a motion photo.
    if (box.type === 'mpvd') yield* positionInMp4(within(file, box.start, box.end))
    if (box.type === 'meta') yield* positionInItems(file, boxes, box)
  }
}

async function* positionInItems(file: Region, boxes: Boxes, meta: Box): AsyncGenerator<Patch> {
  const inside = { start: await metaContent(boxes, meta), end: meta.end }
  const types = await itemTypes(boxes, await boxes.find(['iinf'], inside))
  const table = await boxes.find(['iloc'], inside)
  if (types.size === 0 || !table) return
  const data = await boxes.find(['idat'], inside)
  for (const { id, isInData, extents } of itemExtents(await boxes.content(table, MOST_LIST_BYTES))) {
    const type = types.get(id)
    if (type === undefined) continue
    const holder = isInData ? within(file, data?.start ?? file.size, data?.end) : file
    const pieces = extents.map(({ offset, length }) =>
      within(holder, offset, length === 0 ? undefined : offset + length),
    )
    if (type === 'mime') yield* positionInXmp(pieces)
    else for (const piece of pieces) yield* positionInExifItem(piece)
  }
}

/** The offset of the TIFF header precedes it. */
async function* positionInExifItem(piece: Region): AsyncGenerator<Patch> {
  const skipped = await piece.read(0, 4)
  if (skipped.length === 4) yield* positionInExif(within(piece, 4 + skipped.readUInt32BE()))
}

/** The types of those items that may have a position, by their ids. */
async function itemTypes(boxes: Boxes, list: Box | undefined): Promise<ReadonlyMap<number, string>> {
  const types = new Map<number, string>()
  if (!list) return types
  const [version] = await boxes.content(list, 1)
  for await (const entry of boxes.between(list.start + (version === 0 ? 6 : 8), list.end)) {
    const bytes = await boxes.content(entry, 14)
    const isLong = bytes[0] === 3
    if (entry.type !== 'infe' || bytes.length < (isLong ? 14 : 12)) continue
    const type = bytes.toString('latin1', isLong ? 10 : 8, isLong ? 14 : 12)
    if (type === 'Exif' || type === 'mime') types.set(isLong ? bytes.readUInt32BE(4) : bytes.readUInt16BE(4), type)
  }
  return types
}

interface ItemExtents {
  readonly id: number
  /** Within the box `idat` instead of the file. */
  readonly isInData: boolean
  readonly extents: readonly { readonly offset: number; readonly length: number }[]
}

function* itemExtents(bytes: Buffer): Generator<ItemExtents> {
  let at = 0
  /** 0 behind the end. */
  const next = (size: number): number => {
    at += size
    if (at > bytes.length) return 0
    return size === 8 ? Number(bytes.readBigUInt64BE(at - 8)) : size === 0 ? 0 : bytes.readUIntBE(at - size, size)
  }
  const version = next(1)
  next(3)
  const [sizes, more] = [next(1), next(1)]
  const [ofOffset, ofLength, ofBase, ofIndex] = [sizes >> 4, sizes & 15, more >> 4, version === 0 ? 0 : more & 15]
  if (![ofOffset, ofLength, ofBase, ofIndex].every((size) => [0, 4, 8].includes(size))) return
  const count = Math.min(next(version < 2 ? 2 : 4), MOST_ITEMS)
  for (let item = 0; item < count && at < bytes.length; item += 1) {
    const id = next(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : next(2) & 15
    next(2)
    const base = next(ofBase)
    const extents: { offset: number; length: number }[] = []
    for (let left = Math.min(next(2), MOST_EXTENTS); left > 0; left -= 1) {
      next(ofIndex)
      extents.push({ offset: base + next(ofOffset), length: next(ofLength) })
    }
    if (method < 2) yield { id, isInData: method === 1, extents }
  }
}
