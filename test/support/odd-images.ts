import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { box, exif, sample, segment, u32, withSegments } from './media-samples.ts'

const HILLS = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900"><rect width="1200" height="900" fill="#fc8"/>
  <circle cx="800" cy="300" r="180" fill="#fff4b0"/><path d="M0 900 L350 420 L620 760 L860 520 L1200 900Z" fill="#123"/></svg>`

export const hills = (width: number, height: number): Sharp =>
  sharp(Buffer.from(HILLS)).resize(width, height, { fit: 'fill' })

/** Like a photograph: hard to compress. */
export const noise = (width: number, height: number): Sharp =>
  sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })

const WHOLE = { width: 600, height: 400 } as const

/** Images as people have them, and what they take for images. */
export async function oddImages(): Promise<Readonly<Record<string, Buffer>>> {
  const photo = await noise(WHOLE.width, WHOLE.height).jpeg().toBuffer()
  const drawing = await hills(WHOLE.width, WHOLE.height).png().toBuffer()
  const frames = [drawing, await sharp(drawing).negate().png().toBuffer()]
  const moving = (): Sharp => sharp(frames, { join: { animated: true } })
  const clear = (): Sharp => sharp({ create: { ...WHOLE, channels: 4, background: '#3690' } })
  const turned = [1, 2, 3, 4, 5, 6, 7, 8].map((nth): [string, Buffer] => [
    `turned-${nth}.jpg`,
    withSegments(photo, exif(nth, 'MM')),
  ])
  return {
    ...Object.fromEntries(turned),
    'IMG_0001.HEIC': sample('hills.heic'),
    'cmyk.jpg': await sharp(photo).toColourspace('cmyk').jpeg().toBuffer(),
    'progressive.jpg': await sharp(photo).jpeg({ progressive: true }).toBuffer(),
    'gray.jpg': await sharp(photo).grayscale().jpeg().toBuffer(),
    'wide-gamut.jpg': await sharp(photo).withIccProfile('p3').jpeg().toBuffer(),
    'comments.jpg': withSegments(photo, ...Array.from({ length: 9 }, () => segment(0xfe, Buffer.alloc(65_000, 'x')))),
    'more-behind.jpg': Buffer.concat([photo, Buffer.alloc(50_000, 'MotionPhoto')]),
    'really-a-png.jpg': drawing,
    '50-megapixels.jpg': await sharp(photo).resize(8_000, 6_250, { fit: 'fill', kernel: 'nearest' }).jpeg().toBuffer(),
    'said-to-be-a-page.jpg': photo,
    'deep.png': await sharp(photo).toColourspace('rgb16').png().toBuffer(),
    'palette.png': await sharp(photo).png({ palette: true, colors: 16 }).toBuffer(),
    'interlaced.png': await sharp(photo).png({ progressive: true }).toBuffer(),
    'one-bit.png': await sharp(photo).threshold().toColourspace('b-w').png({ palette: true, colors: 2 }).toBuffer(),
    'see-through.png': await clear().png().toBuffer(),
    'moving.png': animatedPng(drawing),
    'dot.png': await hills(1, 1).png().toBuffer(),
    'line.png': await hills(1, 5_000).png().toBuffer(),
    'ribbon.png': await hills(5_000, 1).png().toBuffer(),
    'moving.gif': await moving().gif().toBuffer(),
    'still.gif': await sharp(photo).gif().toBuffer(),
    'moving.webp': await moving().webp().toBuffer(),
    'lossless.webp': await clear()
      .composite([{ input: frames[0] }])
      .webp({ lossless: true })
      .toBuffer(),
    'picture.avif': await sharp(photo).avif({ effort: 0 }).toBuffer(),
    'pages.tiff': await moving().tiff().toBuffer(),
    'cmyk.tiff': await sharp(photo).toColourspace('cmyk').tiff().toBuffer(),
    'picture.bmp': bitmap(WHOLE.width, WHOLE.height),
    'cut-off.jpg': photo.subarray(0, 40_000),
    'cut-off.png': drawing.subarray(0, drawing.length / 2),
    'cut-off.webp': (await sharp(photo).webp().toBuffer()).subarray(0, 20_000),
    'cut-off.heic': sample('hills.heic').subarray(0, 12_000),
    'bomb.png': bomb(),
    'bomb.jpg': declaring(photo, 65_500, 65_500),
    'drawing.svg': Buffer.from(HILLS),
    'favicon.ico': icon(await hills(32, 32).png().toBuffer()),
    'layers.psd': Buffer.concat([Buffer.from('8BPS\0\x01\0\0\0\0\0\0\0\x03'), u32(400, 600), Buffer.alloc(200)]),
    'future.jxl': Buffer.concat([u32(12), Buffer.from('JXL \r\n\x87\n', 'latin1'), box('ftyp', Buffer.from('jxl '))]),
    'letter.pdf': Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    'page.jpg': Buffer.from('<!doctype html><title>Sign in</title>'),
    'answer.json': Buffer.from('{"error":"expired"}'),
    'notes.txt': Buffer.from('Rye bread, fresh from the oven.\n'),
    'photos.zip': Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]),
    'random.jpg': Buffer.from(Array.from({ length: 5_000 }, (_, nth) => (nth * nth * 31 + nth * 7) % 251)),
    'empty.jpg': Buffer.alloc(0),
    'clip.mp4': sample('clip.mp4'),
    'sound.mp3': sample('sound.mp3'),
  }
}

const PNG_START = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content])
  return Buffer.concat([u32(content.length), named, u32(crc32(named))])
}

/** A file of a kilobyte that says it has 3.6 billion pixels. */
function bomb(): Buffer {
  const header = chunk('IHDR', Buffer.concat([u32(60_000, 60_000), Buffer.from([8, 0, 0, 0, 0])]))
  return Buffer.concat([
    PNG_START,
    header,
    chunk('IDAT', deflateSync(Buffer.alloc(1e6))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** With one frame, the picture itself. */
function animatedPng(png: Buffer): Buffer {
  const afterHeader = PNG_START.length + 25
  const once = chunk('acTL', u32(1, 0))
  const frame = chunk('fcTL', Buffer.concat([u32(0, WHOLE.width, WHOLE.height, 0, 0), Buffer.from([0, 1, 0, 1, 0, 0])]))
  return Buffer.concat([png.subarray(0, afterHeader), once, frame, png.subarray(afterHeader)])
}

/** A JPEG whose header gives another size. */
function declaring(jpeg: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(jpeg)
  const frame = changed.indexOf(Buffer.from([0xff, 0xc0]))
  changed.writeUInt16BE(height, frame + 5)
  changed.writeUInt16BE(width, frame + 7)
  return changed
}

/** 24 bits per pixel, gray. */
function bitmap(width: number, height: number): Buffer {
  const head = Buffer.alloc(54)
  const pixels = Buffer.alloc(width * 3 * height, 0x80)
  head.write('BM', 'latin1')
  for (const [at, value] of [
    [2, 54 + pixels.length],
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
  ] as const)
    head.writeUInt32LE(value, at)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(24, 28)
  return Buffer.concat([head, pixels])
}

/** With one picture of 32x32. */
function icon(png: Buffer): Buffer {
  const head = Buffer.from([0, 0, 1, 0, 1, 0, 32, 32, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0])
  head.writeUInt32LE(png.length, 14)
  return Buffer.concat([head, png])
}
