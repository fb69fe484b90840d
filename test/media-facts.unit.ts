import t from 'tap'
import { bytesSource, type ByteSource } from '../infra/media/byte-source.ts'
import { mediaFacts, NotMedia } from '../infra/media/media-facts.ts'
import type { MediaFacts } from '../infra/media/media.ts'
import { compound, docx, pdf, pptx, zip } from './support/documents.ts'
import { box, exif, heic, sample, segment, sparse, u32, watched, withSegments } from './support/media-samples.ts'

const GIB = 1024 ** 3

async function facts(source: Buffer | ByteSource): Promise<MediaFacts | string> {
  try {
    return await mediaFacts(Buffer.isBuffer(source) ? bytesSource(source) : source)
  } catch (error) {
    if (error instanceof NotMedia) return error.message
    throw error
  }
}

t.test('images and videos are known by their bytes, with their size as shown', async (t) => {
  const shown = { width: 64, height: 48 }
  const clip = { mediaType: 'video', ...shown, durationMs: 1200, videoCodec: 'h264', fps: 5 }
  const expected: Readonly<Record<string, object>> = {
    'picture.jpg': { mediaType: 'image', mimeType: 'image/jpeg', ...shown },
    'picture.png': { mediaType: 'image', mimeType: 'image/png', ...shown },
    'picture.gif': { mediaType: 'image', mimeType: 'image/gif', ...shown },
    'picture.webp': { mediaType: 'image', mimeType: 'image/webp', ...shown },
    'picture.bmp': { mediaType: 'image', mimeType: 'image/bmp', ...shown },
    'picture.avif': { mediaType: 'image', mimeType: 'image/avif', ...shown },
    'clip.mp4': { mimeType: 'video/mp4', ...clip },
    'clip-index-first.mp4': { mimeType: 'video/mp4', ...clip },
    'clip-turned.mov': { mimeType: 'video/quicktime', ...clip, width: 48, height: 64 },
    'clip-fragmented.mp4': { mediaType: 'video', mimeType: 'video/mp4', ...shown, videoCodec: 'h264' },
    'clip.webm': { mediaType: 'video', mimeType: 'video/webm' },
    'clip.mkv': { mediaType: 'video', mimeType: 'video/matroska' },
  }
  for (const [name, wanted] of Object.entries(expected)) {
    const bytes = sample(name)
    t.same(await facts(bytes), { ...wanted, bytes: bytes.length }, name)
  }
})

t.test('a JPEG that EXIF turns on its side is as wide as it is shown', async (t) => {
  const jpeg = sample('picture.jpg')
  for (const order of ['II', 'MM'] as const) {
    for (let orientation = 1; orientation <= 8; orientation += 1) {
      const turned = orientation >= 5
      const wanted = turned ? { width: 48, height: 64 } : { width: 64, height: 48 }
      t.match(await facts(withSegments(jpeg, exif(orientation, order))), wanted, `${order} ${orientation}`)
      t.match(await facts(withSegments(jpeg, exif(orientation, order, 40))), wanted, 'entries further back')
    }
    t.match(await facts(withSegments(jpeg, exif(0, order))), { width: 64, height: 48 })
    t.match(
      await facts(withSegments(jpeg, exif(6, order), exif(1, order))),
      { width: 48, height: 64 },
      'the first counts',
    )
  }
})

t.test('a JPEG’s size is found behind megabytes of other segments, without reading them', async (t) => {
  const profile = segment(0xe2, Buffer.alloc(65_000, 'icc'))
  const padding = Buffer.alloc(50, 0xff)
  const jpeg = withSegments(sample('picture.jpg'), ...Array<Buffer>(100).fill(profile), exif(6, 'II'), padding)
  const source = watched(jpeg)
  t.match(await facts(source), { width: 48, height: 64 })
  t.ok(source.bytesRead() < 20_000, `${source.bytesRead()} of ${jpeg.length} bytes read`)
})

t.test('a HEIC is as large as its largest part, turned as it says', async (t) => {
  const parts = [box('ispe', u32(0, 512, 512)), box('ispe', u32(0, 4032, 3024)), box('ispe', u32(0, 320, 240))]
  t.match(await facts(heic(...parts)), { mimeType: 'image/heic', width: 4032, height: 3024 })
  for (const [angle, width] of [
    [0, 4032],
    [1, 3024],
    [2, 4032],
    [3, 3024],
  ] as const) {
    t.match(await facts(heic(...parts, box('irot', Buffer.from([angle])))), { width })
  }
  t.match(await facts(heic()), /damaged image/)
})

t.test('an index behind a gigabyte of data costs as little as one in front', async (t) => {
  const clip = sample('clip.mp4')
  const index = clip.subarray(clip.indexOf('moov') - 4)
  const brand = clip.subarray(0, clip.readUInt32BE(0))
  const large = Buffer.concat([u32(1), Buffer.from('mdat'), u32(1, 16)])
  const sources = {
    'a 32-bit size': sparse([brand, u32(GIB + 8), Buffer.from('mdat'), GIB, index]),
    'a 64-bit size': sparse([brand, large, 4 * GIB, index]),
  }
  for (const [name, inner] of Object.entries(sources)) {
    const source = watched(inner)
    t.match(await facts(source), { width: 64, height: 48, durationMs: 1200, bytes: inner.size }, name)
    t.ok(source.bytesRead() < 10_000, `${source.bytesRead()} bytes read`)
  }
})

t.test('times and sizes in their 64-bit form are read', async (t) => {
  const long = (...values: readonly number[]): Buffer => u32(...values.flatMap((value) => [0, value]))
  const matrix = u32(0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000)
  const tkhd = box(
    'tkhd',
    u32(0x01000003),
    long(0, 0),
    u32(1, 0),
    long(0),
    u32(0, 0, 0, 0),
    matrix,
    u32(1920 << 16, 1080 << 16),
  )
  const hdlr = box('hdlr', u32(0, 0), Buffer.from('vide'), Buffer.alloc(13))
  const movie = (...header: readonly Buffer[]): Buffer =>
    Buffer.concat([
      box('ftyp', Buffer.from('isom'), u32(0), Buffer.from('isom')),
      box('moov', box('mvhd', u32(0x01000000), long(0, 0), ...header), box('trak', tkhd, box('mdia', hdlr))),
    ])
  t.match(await facts(movie(u32(90_000), long(450_000))), { width: 1080, height: 1920, durationMs: 5000 })
  const unknown = await facts(movie(u32(90_000, 0xffffffff, 0xffffffff)))
  t.match(unknown, { width: 1080, durationMs: undefined })
  t.match(await facts(movie(u32(0), long(450_000))), { width: 1080, durationMs: undefined }, 'a time scale of nothing')
  const extent = box('mvex', box('mehd', u32(0x01000000), long(270_000)))
  const fragmented = Buffer.concat([movie(u32(90_000), long(0))])
  const moov = fragmented.indexOf('moov') - 4
  fragmented.writeUInt32BE(fragmented.readUInt32BE(moov) + extent.length, moov)
  t.match(await facts(Buffer.concat([fragmented, extent])), { durationMs: 3000 })
})

t.test('what is neither image nor video is called by its name', async (t) => {
  const table: Readonly<Record<string, readonly (Buffer | string)[]>> = {
    'an empty file': [''],
    'a web page': [
      '<!DOCTYPE html><html>',
      '\uFEFF\n <html lang="en">',
      '<!-- x -->\n<!doctype HTML>',
      `<head>${'é'.repeat(4000)}`,
    ],
    'a text file': ['hello', '{"error":"not found"}', 'é'.repeat(5000)],
    'an SVG drawing': ['<svg xmlns="http://www.w3.org/2000/svg"/>'],
    'a file of unknown type': [Buffer.from([1, 2, 3, 4]), Buffer.from([0xfa, 0xed, 0]), Buffer.alloc(10_000)],
    'a damaged document (application/pdf)': ['%PDF-1.7\n'],
    'a file of type application/zip': [Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
    'an audio file (audio/mpeg)': [sample('sound.mp3')],
    'an audio file (audio/x-m4a)': [sample('sound.m4a')],
    'a damaged video, or one without a picture (video/mp4)': [sample('sound.mp4')],
  }
  for (const [name, contents] of Object.entries(table)) {
    for (const content of contents) t.equal(await facts(Buffer.from(content)), name)
  }
})

const FILES = ['picture.jpg', 'picture.png', 'picture.gif', 'picture.webp', 'picture.bmp', 'picture.avif', 'clip.mp4']
const MORE_FILES = ['clip-index-first.mp4', 'clip-turned.mov', 'clip-fragmented.mp4', 'clip.webm']

t.test('a file cut off anywhere gives facts or a plain refusal', async (t) => {
  for (const name of [...FILES, ...MORE_FILES]) {
    const whole = sample(name)
    const wrong = []
    for (let length = 0; length < whole.length; length += length < 600 ? 1 : 37) {
      const result = await facts(whole.subarray(0, length)).catch((error: unknown) => wrong.push(`${length}: ${error}`))
      if (typeof result === 'object' && result.bytes !== length) wrong.push(length)
    }
    t.same(wrong, [], name)
  }
  const clip = sample('clip.mp4')
  t.match(await facts(clip.subarray(0, clip.indexOf('moov') - 4)), /^a damaged video/, 'without its index')
  const jpeg = sample('picture.jpg')
  t.match(await facts(jpeg.subarray(0, 100)), /^a damaged image/)
  const png = sample('picture.png')
  for (const length of [20, 22]) t.match(await facts(png.subarray(0, length)), /^a damaged image|of unknown type/)
})

t.test('a file with any bytes changed gives facts or a plain refusal, within bounds', async (t) => {
  let seed = 42
  const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below
  for (const name of [...FILES, ...MORE_FILES]) {
    const whole = sample(name)
    const wrong: unknown[] = []
    let mostReads = 0
    for (let round = 0; round < 300; round += 1) {
      const changed = Buffer.from(whole)
      for (let change = 0; change <= random(8); change += 1) {
        changed[random(changed.length)] = [0, 1, 0x7f, 0x80, 0xff][random(5)] ?? 0
      }
      const source = watched(changed)
      await facts(source).catch((error: unknown) => wrong.push(`${round}: ${error}`))
      mostReads = Math.max(mostReads, source.reads())
    }
    t.same(wrong, [], name)
    t.ok(mostReads < 1000, `at most ${mostReads} reads`)
  }
})

t.test('files that lie about their sizes cost neither time nor memory', async (t) => {
  const brand = box('ftyp', Buffer.from('isom'), u32(0), Buffer.from('isom'))
  const inBox = (type: string, size: number): Buffer => Buffer.concat([u32(size), Buffer.from(type)])
  const huge = Buffer.concat([u32(1), Buffer.from('moov'), u32(0xffffffff, 0xffffffff)])
  const tiny = Buffer.concat(Array<Buffer>(200_000).fill(box('free')))
  const nested = Array.from({ length: 5000 }, (_, depth) => inBox('moov', GIB - depth * 8))
  const ispes = Array<Buffer>(50_000).fill(box('ispe', u32(0, 1, 1)))
  const hostile: Readonly<Record<string, ByteSource>> = {
    'an index of all that 64 bits can say': sparse([brand, huge, GIB]),
    'an index larger than the file': sparse([brand, inBox('moov', 0xffffffff), inBox('trak', 0xfffffff0), 1000]),
    'a box of size 0 at the top': sparse([brand, inBox('moov', 0), inBox('trak', 0), inBox('mdia', 0), GIB]),
    'boxes smaller than their header': sparse([brand, inBox('moov', 7), inBox('moov', 2), GIB]),
    '200,000 empty boxes': sparse([brand, tiny, inBox('moov', 8)]),
    '200,000 empty boxes in the index': sparse([brand, inBox('moov', tiny.length + 8), tiny]),
    'indexes in indexes': sparse([brand, ...nested, GIB]),
    'a HEIC of 50,000 parts': bytesSource(heic(...ispes)),
    'a JPEG of segments alone': bytesSource(
      withSegments(sample('picture.jpg'), ...Array<Buffer>(50_000).fill(segment(0xe1, Buffer.alloc(0)))),
    ),
    'a JPEG of filling bytes': bytesSource(withSegments(sample('picture.jpg'), Buffer.alloc(5_000_000, 0xff))),
    'a JPEG of zeros': sparse([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), GIB]),
    'EXIF that points past itself': bytesSource(
      withSegments(sample('picture.jpg'), exif(6, 'MM', 8).fill(0xff, 14, 18)),
    ),
  }
  for (const [name, inner] of Object.entries(hostile)) {
    const source = watched(inner)
    const began = performance.now()
    await facts(source)
    const took = Math.round(performance.now() - began)
    t.ok(
      source.reads() <= 25_000 && source.bytesRead() < 1_000_000,
      `${name}: ${source.reads()} reads, ${source.bytesRead()} bytes`,
    )
    t.ok(took < 3000, `${took} ms`)
  }
})

t.test('documents are known by their bytes, and a PDF by its pages', async (t) => {
  const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
  const web = (pages: number, appended = ''): Buffer => {
    const rest = `\nxref\n0 0\ntrailer<<>>\nstartxref\n0\n%%EOF\n`
    const start = `%PDF-1.7\n1 0 obj<</Linearized 1/L 0000000/N ${pages}>>endobj`
    const size = String(start.length + rest.length).padStart(7, '0')
    return Buffer.from(start.replace('0000000', size) + rest + appended)
  }
  const packed = '%PDF-1.5\n1 0 obj<</Type/XRef>>stream\nendstream endobj\nstartxref\n9\n%%EOF\n'
  const round = Buffer.from('%PDF-1.4\nxref\n1 0\n9 0\ntrailer<</Root 9 0 R/Prev 9>>\nstartxref\n9\n%%EOF')
  for (const [bytes, expected] of [
    [pdf(1), { mimeType: 'application/pdf', pages: 1 }],
    [pdf(301), { mimeType: 'application/pdf', pages: 301 }],
    [Buffer.concat([pdf(12), Buffer.alloc(20_000)]), { mimeType: 'application/pdf', pages: 12 }],
    [changed(pdf(3), 5), { mimeType: 'application/pdf', pages: 5 }],
    [web(7), { mimeType: 'application/pdf', pages: 7 }],
    [web(7, 'more'), { mimeType: 'application/pdf' }],
    [Buffer.from(packed), { mimeType: 'application/pdf' }],
    [round, { mimeType: 'application/pdf' }],
    [docx(), { mimeType: DOCX }],
    [pptx(), { mimeType: PPTX }],
    [zip(['docProps/app.xml', 'ppt/presentation.xml', '[Content_Types].xml']), { mimeType: PPTX }],
    [compound('WordDocument', '1Table'), { mimeType: 'application/msword' }],
    [compound('Current User', 'PowerPoint Document'), { mimeType: 'application/vnd.ms-powerpoint' }],
  ] as const) {
    t.same(await facts(bytes), { mediaType: 'document', bytes: bytes.length, ...expected })
  }
  for (const [bytes, what] of [
    [pdf(3).subarray(0, 300), 'a damaged document (application/pdf)'],
    [docx().subarray(0, -10), /^a damaged document|^a file of type application\/zip$/],
    [zip(['[Content_Types].xml', 'xl/workbook.xml']), /^a file of type application\//],
    [zip(['[Content_Types].xml', 'word/document.xml', 'word/vbaProject.bin']), /^a file of type application\//],
    [zip(['photos/1.jpg']), 'a file of type application/zip'],
    [compound('Workbook'), 'a file of type application/x-cfb'],
    [compound('WordDocument').subarray(0, 600), 'a file of type application/x-cfb'],
  ] as const) {
    t.match(await facts(bytes), what)
  }
})

/** The same PDF after an edit, which is appended: other pages. */
function changed(original: Buffer, pages: number): Buffer {
  const [, before = ''] = /startxref\n(\d+)/.exec(original.toString('latin1')) ?? []
  const root = `2 0 obj\n<</Type/Pages/Kids[]/Count ${pages}>>\nendobj\n`
  const table = `xref\n2 1\n${String(original.length).padStart(10, '0')} 00000 n \n`
  const trailer = `trailer\n<</Root 1 0 R/Prev ${before}>>\nstartxref\n${original.length + root.length}\n%%EOF\n`
  return Buffer.concat([original, Buffer.from(root + table + trailer)])
}

t.test('the pages of a large PDF are counted in few reads', async (t) => {
  const source = watched(pdf(2_000, 'x'.repeat(5_000_000)))
  t.match(await facts(source), { pages: 2_000 })
  t.ok(source.bytesRead() < 300_000, `${source.bytesRead()} of ${source.size} bytes read`)
})
