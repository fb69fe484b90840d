import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { bytesSource } from '../infra/media/byte-source.ts'
import { mediaFacts } from '../infra/media/media-facts.ts'
import { patchFile, positionIn } from '../infra/media/position/position.ts'
import { patchBytes } from '../infra/media/position/region.ts'
import { box, sample, segment, u32, watched, withSegments } from './support/media-samples.ts'

const run = promisify(execFile)
const hasExiftool = await run('exiftool', ['-ver']).then(
  () => true,
  () => false,
)

const LATITUDE = [51, 30, 3_230] as const
const exifOf = ([degrees, minutes, hundredths]: readonly [number, number, number] = LATITUDE) => ({
  IFD0: { Make: 'Camera', Copyright: 'Ada Lovelace' },
  IFD3: {
    ...{ GPSLatitudeRef: 'N', GPSLatitude: `${degrees}/1 ${minutes}/1 ${hundredths}/100` },
    ...{ GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 4366/100', GPSAltitude: '1234/100' },
  },
})
const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" exif:GPSLatitude="51,30.538N" dc:format='image/jpeg' exif:GPSMapDatum='WGS-84'>
  <exif:GPSLongitude>0,7.7W</exif:GPSLongitude><dc:source>Ada Lovelace</dc:source></rdf:Description></rdf:RDF></x:xmpmeta>`
/** The bytes of the position in EXIF, in both orders, and in XMP. */
const SIGNS = [
  ...[LATITUDE, [0, 7, 4_366]].map((value) => value.flatMap((one, index) => [one, index === 2 ? 100 : 1])),
].flatMap((numbers) => {
  const big = u32(...numbers)
  return [big, Buffer.from(big).swap32()]
})
const TEXT_SIGNS = ['51,30.538N', '0,7.7W', 'WGS-84', '51.5074'].map((text) => Buffer.from(text))

const picture = () =>
  sharp({ create: { width: 96, height: 64, channels: 3, background: '#8a4', noise: { type: 'gaussian', sigma: 30 } } })
type Format = 'jpeg' | 'png' | 'webp' | 'avif'
const FORMATS: readonly Format[] = ['jpeg', 'png', 'webp', 'avif']
const positioned = (format: Format, exif = exifOf()) => picture().toFormat(format).withExif(exif).toBuffer()

/** The same with a box more in its index, which is at its end. */
function withBoxes(clip: Buffer, ...boxes: readonly Buffer[]): Buffer {
  const at = clip.lastIndexOf('moov') - 4
  const moov = clip.subarray(at + 8, at + clip.readUInt32BE(at))
  return Buffer.concat([clip.subarray(0, at), box('moov', moov, ...boxes)])
}
const place = Buffer.from('+51.5074-000.1278/')
const udta = (...boxes: readonly Buffer[]) => box('udta', ...boxes)
const xyz = box('\u00a9xyz', Buffer.from([0, place.length, 0x15, 0xc7]), place)
const key = (name: string) => box('mdta', Buffer.from(name))
const dataOf = (value: Buffer) => box('data', u32(1, 0), value)
const handler = box('hdlr', u32(0, 0), Buffer.from('mdta'), u32(0, 0, 0))
const keyed = box(
  'meta',
  handler,
  box('keys', u32(0, 2), key('com.apple.quicktime.make'), key('com.apple.quicktime.location.ISO6709')),
  box('ilst', box('\0\0\0\x01', dataOf(Buffer.from('Apple'))), box('\0\0\0\x02', dataOf(place))),
)

async function without(bytes: Buffer, mimeType?: string): Promise<Buffer> {
  const source = bytesSource(bytes)
  const patches = await positionIn(source, mimeType ?? (await mediaFacts(source)).mimeType)
  const result = Buffer.from(bytes)
  patchBytes(result, patches)
  return result
}

/** No trace of the position, and nothing else changed that a reader sees. */
async function isRid(t: Test, bytes: Buffer, name: string, mimeType?: string): Promise<Buffer> {
  const signs = [...SIGNS, ...TEXT_SIGNS]
  t.ok(
    signs.some((sign) => bytes.includes(sign)),
    `${name} has a position`,
  )
  const result = await without(bytes, mimeType)
  t.equal(result.length, bytes.length, name)
  t.same(
    signs.filter((sign) => result.includes(sign)),
    [],
    `${name} has none any more`,
  )
  t.ok(result.equals(await without(result, mimeType)), `${name} has nothing left to remove`)
  if (!hasExiftool) return result
  const directory = await mkdtemp(join(tmpdir(), 'fanfare-position-'))
  const path = join(directory, 'file')
  await writeFile(path, result)
  const { stdout } = await run('exiftool', ['-a', '-ee', '-s', '-GPS*', '-*Location*', path])
  t.equal(stdout, '', `${name}, by exiftool`)
  await rm(directory, { recursive: true })
  return result
}

for (const format of FORMATS) {
  t.test(`given a ${format} with any position, then only the position is removed, and no pixel changes`, async (t) => {
    const numbers = fc.tuple(fc.nat(89), fc.nat(59), fc.nat(5_999))
    const before = await isRid(t, await positioned(format), format)
    t.equal((await sharp(before).metadata()).exif?.includes('Ada Lovelace'), true, 'the rest of EXIF is left')
    await fc.assert(
      fc.asyncProperty(numbers, async (latitude) => {
        const bytes = await positioned(format, exifOf(latitude))
        const result = await without(bytes)
        const pixels = await Promise.all([bytes, result].map((one) => sharp(one).raw().toBuffer()))
        t.ok(pixels[0]?.equals(pixels[1] ?? Buffer.alloc(0)))
        t.notOk(result.equals(bytes))
      }),
      { numRuns: 10 },
    )
  })
}

t.test('given positions in XMP, then they are blanked, also where the packet is cut into pieces', async (t) => {
  const plain = await picture().jpeg().toBuffer()
  const main = segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${XMP}`))
  const cut = XMP.indexOf('51,30') + 2
  const more = [XMP.slice(0, cut), XMP.slice(cut)].map((piece) =>
    segment(0xe1, Buffer.from(`http://ns.adobe.com/xmp/extension/\0${'0'.repeat(40)}${piece}`)),
  )
  const png = await picture().png().toBuffer()
  const text = Buffer.concat([Buffer.from(`iTXtXML:com.adobe.xmp\0\0\0\0\0`), Buffer.from(XMP)])
  const chunk = Buffer.concat([u32(text.length - 4), text, u32(crc32(text))])
  const files = {
    jpeg: withSegments(plain, main),
    'jpeg in pieces': withSegments(plain, ...more),
    png: Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]),
  }
  for (const [name, bytes] of Object.entries(files)) {
    const result = await isRid(t, bytes, name)
    t.ok(result.includes('dc:source>Ada Lovelace'), name)
    t.ok((await sharp(result).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer()), name)
  }
})

t.test('given further pictures and a clip behind a picture, then these have no position either', async (t) => {
  const jpeg = await positioned('jpeg')
  const clip = withBoxes(sample('clip.mp4'), udta(xyz))
  await isRid(t, Buffer.concat([await picture().jpeg().toBuffer(), jpeg, clip]), 'motion photo')
})

t.test('given a TIFF and a HEIC with EXIF within its own list, then their positions are removed', async (t) => {
  const { exif = Buffer.alloc(0) } = await sharp(await positioned('jpeg')).metadata()
  const tiff = exif.subarray(6)
  await isRid(t, tiff, 'tiff', 'image/tiff')
  const data = Buffer.concat([u32(6), Buffer.from('Exif\0\0'), tiff])
  const entry = box('infe', Buffer.from([2, 0, 0, 0, 0, 7, 0, 0]), Buffer.from('Exif\0'))
  const list = box('iinf', u32(0), Buffer.from([0, 1]), entry)
  const table = box('iloc', Buffer.from([1, 0, 0, 0, 0x44, 0, 0, 1, 0, 7, 0, 1, 0, 0, 0, 1]), u32(0, data.length))
  const brand = box('ftyp', Buffer.from('heic'), u32(0), Buffer.from('mif1heic'))
  await isRid(t, Buffer.concat([brand, box('meta', u32(0), list, table, box('idat', data))]), 'heic', 'image/heic')
})

t.test('given videos of phones, then the position is removed, and all other metadata are left', async (t) => {
  const clip = sample('clip.mp4')
  const files = {
    Android: withBoxes(clip, udta(xyz, box('\u00a9mak', Buffer.from('\0\x05\x15\xc7Pixel')))),
    iPhone: withBoxes(clip, keyed),
    'in the metadata of the user data': withBoxes(clip, udta(keyed)),
    'of a track': withBoxes(clip, box('trak', udta(xyz))),
    '3GPP': withBoxes(clip, udta(box('loci', u32(0), Buffer.from([0x15, 0xc7]), place))),
    XMP: withBoxes(clip, udta(box('XMP_', Buffer.from(XMP)))),
  }
  for (const [name, bytes] of Object.entries(files)) {
    const result = await isRid(t, bytes, name)
    t.same(await mediaFacts(bytesSource(result)), await mediaFacts(bytesSource(bytes)), name)
    for (const kept of ['Pixel', 'Apple']) t.equal(result.includes(kept), bytes.includes(kept), name)
  }
})

t.test('given files without a position, then nothing is changed', async (t) => {
  const names = ['hills.heic', 'clip.mp4', 'clip-turned.mov', 'clip-fragmented.mp4', 'clip.webm', 'picture.gif']
  const gpsVersion = { IFD0: { Make: 'Camera' }, IFD3: { GPSVersionID: '2 3 0 0', GPSDateStamp: '2026:05:01' } }
  const files = [...names.map(sample), await positioned('jpeg', gpsVersion as never), await picture().png().toBuffer()]
  for (const bytes of files)
    t.same(await positionIn(bytesSource(bytes), (await mediaFacts(bytesSource(bytes))).mimeType), [])
})

t.test('given damaged or malicious files, then nothing is thrown, and little is read', async (t) => {
  const types = ['jpeg', 'png', 'webp', 'avif', 'tiff'].map((type) => `image/${type}`)
  const { exif = Buffer.alloc(0) } = await sharp(await positioned('jpeg')).metadata()
  const files: Record<string, Buffer> = { 'image/tiff': exif.subarray(6) }
  for (const format of FORMATS) files[`image/${format}`] = await positioned(format)
  files['video/mp4'] = withBoxes(sample('clip.mp4'), udta(xyz), keyed)
  const change = fc.record({ at: fc.nat(), value: fc.uint8Array({ minLength: 1, maxLength: 4 }) })
  const check = async (bytes: Buffer, type: string) => {
    const source = watched(bytes)
    const patches = await positionIn(source, type)
    t.ok(source.reads() <= 20_000)
    const end = Math.max(0, ...patches.map((one) => ('bytes' in one ? one.start + one.bytes.length : one.end)))
    t.ok(end <= bytes.length && patches.every(({ start }) => start >= 0), 'only bytes of the file are changed')
  }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...types, 'video/mp4'),
      fc.array(change, { maxLength: 20 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (type, changes, kept) => {
        const bytes = Buffer.from(files[type] ?? [])
        for (const { at, value } of changes) bytes.set(value, at % (bytes.length - 4))
        await check(bytes.subarray(0, kept < 0.5 ? bytes.length : bytes.length * kept), type)
      },
    ),
    { numRuns: 500 },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...types, 'image/heic', 'video/mp4'),
      fc.uint8Array({ maxLength: 500 }),
      (type, bytes) => check(Buffer.from(bytes), type),
    ),
    { numRuns: 500 },
  )
  // Each directory points to itself and to the next.
  const circle = Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), Buffer.alloc(60_000)])
  for (let at = 8; at + 18 < circle.length; at += 18) {
    circle.writeUInt16LE(1, at)
    circle.writeUInt16LE(0x8825, at + 2)
    circle.writeUInt32LE(at, at + 10)
    circle.writeUInt32LE(at + 18, at + 14)
  }
  await check(circle, 'image/tiff')
})

t.test('given a file on disk, then it is overwritten in its place', async (t) => {
  const path = join(t.testdir(), 'a.jpg')
  const bytes = await positioned('jpeg')
  await writeFile(path, bytes)
  await patchFile(path, await positionIn(bytesSource(bytes), 'image/jpeg'))
  t.ok((await readFile(path)).equals(await without(bytes)))
})
