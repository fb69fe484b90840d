import { filled, within, type Patch, type Region } from './region.ts'
import { positionInXmp } from './xmp.ts'

const EXIF_DIRECTORY = 0x8769
const GPS_DIRECTORY = 0x8825
const XMP = 0x02bc
/** Latitudes, longitudes and the name of the area. Many cameras write the others without a position. */
const POSITION_TAGS = new Set([0x02, 0x04, 0x14, 0x16, 0x1c])

/** Bytes per value of each type (TIFF 6.0 §2, and 13 of its Technical Note 1). */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
const ENTRY_BYTES = 12
/** A TIFF has one for each page. */
const MOST_DIRECTORIES = 100
const MOST_ENTRIES = 200
/** No value of a GPS directory is as long. */
const MOST_VALUE_BYTES = 4_096

interface Entry {
  readonly tag: number
  readonly bytes: Buffer
  /** What it holds if that is an offset. */
  readonly offset: number
  /** Where its value is that does not fit into the entry. */
  readonly value?: Region
}

interface Directory {
  readonly region: Region
  readonly entries: readonly Entry[]
  readonly next: Buffer
}

/** Takes the GPS directory out of the directories of EXIF data, which are those of a TIFF (EXIF 2.32 §4.6). */
export async function* positionInExif(tiff: Region): AsyncGenerator<Patch> {
  const head = await tiff.read(0, 8)
  const order = head.toString('latin1', 0, 4)
  if (head.length < 8 || (order !== 'II*\0' && order !== 'MM\0*')) return
  const isLittle = order.startsWith('II')
  const waiting = [uintAt(head, 4, 4, isLittle)]
  const seen = new Set<number>()
  while (waiting.length > 0 && seen.size < MOST_DIRECTORIES) {
    const at = waiting.pop() ?? 0
    const directory = seen.has(at) ? undefined : await directoryAt(tiff, at, isLittle)
    seen.add(at)
    if (!directory) continue
    const { entries, next } = directory
    waiting.push(uintAt(next, 0, 4, isLittle))
    waiting.push(...entries.filter(({ tag }) => tag === EXIF_DIRECTORY).map(({ offset }) => offset))
    yield* positionInXmp(entries.flatMap(({ tag, value }) => (tag === XMP && value ? [value] : [])))
    const { offset = at } = entries.find(({ tag }) => tag === GPS_DIRECTORY) ?? {}
    const gps = seen.has(offset) ? undefined : await directoryAt(tiff, offset, isLittle)
    if (!gps?.entries.some(({ tag }) => POSITION_TAGS.has(tag))) continue
    yield withoutGps(directory, isLittle)
    yield filled(within(gps.region, 0, 2 + gps.entries.length * ENTRY_BYTES), 0)
    for (const { value } of gps.entries) if (value && value.size <= MOST_VALUE_BYTES) yield filled(value, 0)
  }
}

async function directoryAt(tiff: Region, at: number, isLittle: boolean): Promise<Directory | undefined> {
  const counted = at < 8 ? Buffer.alloc(0) : await tiff.read(at, 2)
  if (counted.length < 2) return undefined
  const count = uintAt(counted, 0, 2, isLittle)
  const end = 2 + count * ENTRY_BYTES
  // The offset of the next one may be missing from the last.
  const region = within(tiff, at, at + end + 4)
  if (count === 0 || count > MOST_ENTRIES || region.size < end) return undefined
  const bytes = await region.read(0, region.size)
  const entries = Array.from({ length: count }, (_, index): Entry => {
    const entry = bytes.subarray(2 + index * ENTRY_BYTES, 2 + (index + 1) * ENTRY_BYTES)
    const offset = uintAt(entry, 8, 4, isLittle)
    const length = (TYPE_BYTES[uintAt(entry, 2, 2, isLittle)] ?? 0) * uintAt(entry, 4, 4, isLittle)
    const value = length > 4 ? { value: within(tiff, offset, offset + length) } : {}
    return { tag: uintAt(entry, 0, 2, isLittle), bytes: entry, offset, ...value }
  })
  return { region, entries, next: bytes.subarray(end) }
}

/** The same directory, shorter, and zeros. */
function withoutGps({ region, entries, next }: Directory, isLittle: boolean): Patch {
  const kept = entries.filter(({ tag }) => tag !== GPS_DIRECTORY)
  const count = Buffer.alloc(2)
  if (isLittle) count.writeUInt16LE(kept.length)
  else count.writeUInt16BE(kept.length)
  const bytes = Buffer.alloc(region.size)
  Buffer.concat([count, ...kept.map((entry) => entry.bytes), next]).copy(bytes)
  return { start: region.offset, bytes }
}

/** 0 behind the end. */
function uintAt(bytes: Buffer, at: number, length: 2 | 4, isLittle: boolean): number {
  if (at + length > bytes.length) return 0
  return isLittle ? bytes.readUIntLE(at, length) : bytes.readUIntBE(at, length)
}
