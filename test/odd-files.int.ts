import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { PLATFORM_KEYS, PLATFORM_NAMES, type MediaType, type PlatformKey } from '../domain/core/platform.ts'
import type { PreviewItem } from '../domain/post/post-preview.ts'
import { bytesSource } from '../infra/media/byte-source.ts'
import { findFfmpeg } from '../infra/media/ffmpeg.ts'
import { mediaFacts } from '../infra/media/media-facts.ts'
import type { LedgerPost } from '../packages/sandbox/ledger.ts'
import { asSent, brokenRules } from '../platforms/kit/checked-media.ts'
import { findPost } from '../projections/models/posts.ts'
import { createPreview } from '../reactors/publishing/preview.ts'
import { compound, docx, pdf, pptx, zip } from './support/documents.ts'
import { hostOf } from './support/media-host.ts'
import { sample } from './support/media-samples.ts'
import { oddImages } from './support/odd-images.ts'
import { brokenVideos, oddVideos } from './support/odd-videos.ts'
import { givenReachable } from './support/reachable.ts'
import { accessOf, givenProcess, type World } from './support/world.ts'

const ffmpeg = findFfmpeg(undefined, process.env['PATH'] ?? '')
const options = { skip: ffmpeg === undefined && 'ffmpeg is not installed' }

type Files = Readonly<Record<string, Buffer>>
/** Why a file is not published on a platform; undefined: it is published there. */
type Outcomes = Readonly<Partial<Record<PlatformKey | 'others', RegExp | undefined>>>

const not = (what: string): Outcomes => ({
  others: new RegExp(`^the media is ${what}, but (an image|a video|a document) was expected$`),
})
const isType = (type: string): RegExp => new RegExp(` as .*; this one is ${type}\\.`)
const damaged = /^the image could not be converted: it is damaged, or of a kind that cannot be read \(.+\)$/
const googleBytes = /^Google Business accepts images of at least 10240 bytes; this one has \d+\./
const googleSides = /Google Business accepts images of at least 250 pixels on each side; this one is \d+ x \d+\.$/
const tiktokSides =
  /TikTok accepts images of at most 1920 x 1080 pixels, portrait or landscape; this one is \d+ x \d+\.$/
const linkedinPixels = /^LinkedIn accepts images of fewer than 36152320 pixels; this one has \d+ \(\d+x\d+\)\.$/
const tiktokSmall = /^TikTok accepts videos of 360 to 4096 pixels on each side; this one is \d+ x \d+\.$/
const metaRatio = /accepts videos with a ratio between 0\.01:1 and 10:1; this one is 1280x64, 20:1\.$/

/** What a platform does not take at all. */
const NEVER: Readonly<Record<MediaType, Outcomes>> = {
  image: { youtube: /^YouTube does not support image posts\.$/ },
  video: { googlebusiness: /^Google Business does not support video posts\.$/ },
  document: Object.fromEntries(
    PLATFORM_KEYS.filter((platform) => platform !== 'linkedin').map((platform) => {
      const instead = platform === 'youtube' ? '' : ': post its pages as images instead'
      return [platform, new RegExp(`^${PLATFORM_NAMES[platform]} does not support document posts${instead}\\.$`)]
    }),
  ),
}

/** The images that are not published everywhere. */
const IMAGES: Readonly<Record<string, Outcomes>> = {
  'see-through.png': { googlebusiness: googleBytes },
  'moving.webp': { googlebusiness: googleBytes },
  'pages.tiff': { googlebusiness: googleBytes },
  'dot.png': { googlebusiness: googleSides },
  'line.png': { googlebusiness: googleSides },
  'ribbon.png': { googlebusiness: googleSides },
  'picture.bmp': { others: isType('image/bmp'), facebook: undefined, pinterest: undefined },
  'cut-off.png': { instagram: damaged, tiktok: damaged, googlebusiness: googleBytes },
  'cut-off.webp': { instagram: damaged, threads: damaged, linkedin: damaged, googlebusiness: damaged },
  'cut-off.heic': { others: damaged },
  'bomb.png': {
    ...{ instagram: isType('image/png'), tiktok: tiktokSides, linkedin: linkedinPixels, googlebusiness: googleBytes },
  },
  'bomb.jpg': { tiktok: tiktokSides, linkedin: linkedinPixels },
  'favicon.ico': { others: isType('image/x-icon') },
  'layers.psd': { others: isType('image/vnd.adobe.photoshop') },
  'future.jxl': { others: isType('image/jxl') },
  'drawing.svg': not('an SVG drawing'),
  'letter.pdf': not('a damaged document \\(application/pdf\\)'),
  'page.jpg': not('a web page'),
  'answer.json': not('a text file'),
  'notes.txt': not('a text file'),
  'photos.zip': not('a file of type application/zip'),
  'random.jpg': not('a file of unknown type'),
  'empty.jpg': not('an empty file'),
  'clip.mp4': not('a video \\(video/mp4\\)'),
  'sound.mp3': not('an audio file \\(audio/mpeg\\)'),
}
const BROKEN_VIDEOS: Readonly<Record<string, Outcomes>> = {
  'tiny.mp4': {
    instagram: /^Instagram accepts videos of at least 3 s; this one is 1\.2 s\.$/,
    linkedin: /^LinkedIn accepts videos of at least 76800 bytes; this one has \d+\. LinkedIn accepts videos of 3 to/,
    ...{
      tiktok: tiktokSmall,
      pinterest: /^Pinterest accepts videos of at least 4 seconds; this one is 1\.2 seconds\.$/,
    },
  },
  'sound-alone.mp4': not('a damaged video, or one without a picture \\(video/mp4\\)'),
  'sound.m4a': not('an audio file \\(audio/x-m4a\\)'),
  'sound.mp3': not('an audio file \\(audio/mpeg\\)'),
  'moving.gif': not('an image \\(image/gif\\)'),
  'photo.mp4': not('an image \\(image/jpeg\\)'),
  'header-alone.mp4': not('a damaged video, or one without a picture \\(video/mp4\\)'),
  'empty.mp4': not('an empty file'),
  'page.mp4': not('a web page'),
  'playlist.m3u8': not('a text file'),
}
/** The videos that are not published everywhere. */
const VIDEOS: Readonly<Record<string, Outcomes>> = {
  'odd-sides.mp4': { tiktok: tiktokSmall },
  'narrow.mp4': {
    instagram: metaRatio,
    threads: metaRatio,
    tiktok: tiktokSmall,
    x: /a ratio from 1:3 to 3:1; this one is/,
  },
  'turned.mp4': {
    facebook: /^Facebook accepts reels \(vertical videos\) of at least 540x960 pixels; this one is 360x640\.$/,
  },
  'old.flv': { others: isType('video/x-flv'), youtube: undefined },
  'cut-off.mkv': { others: /^the video could not be converted: File ended prematurely$/, youtube: undefined },
  'no-index.mp4': not('a damaged video, or one without a picture \\(video/mp4\\)'),
}

const DOCUMENTS: Readonly<Record<string, Outcomes>> = {
  'book.pdf': { linkedin: /^LinkedIn accepts documents of at most 300 pages; this one has 301\.$/ },
  'cut-off.pdf': not('a damaged document \\(application/pdf\\)'),
  'photo.pdf': not('an image \\(image/jpeg\\)'),
  'clip.pdf': not('a video \\(video/mp4\\)'),
  'page.pdf': not('a web page'),
  'notes.docx': not('a text file'),
  'empty.pdf': not('an empty file'),
  'table.xls': not('a file of type application/x-cfb'),
  'photos.zip': not('a file of type application/zip'),
}

/** What a preview cannot know: what is behind the start of a file, and how many bytes its JPEG will have. */
const UNFORESEEN: Readonly<Record<string, readonly PlatformKey[]>> = {
  ...{ 'moving.gif': ['googlebusiness'], 'lossless.webp': ['googlebusiness'], 'moving.webp': ['googlebusiness'] },
  'pages.tiff': ['googlebusiness'],
  'cut-off.png': ['instagram', 'tiktok'],
  'cut-off.webp': ['instagram', 'threads', 'linkedin', 'googlebusiness'],
  ...{ 'cut-off.heic': PLATFORM_KEYS, 'cut-off.mkv': PLATFORM_KEYS },
}

/** Posts each file to all platforms, and holds what every outcome has to be. */
async function mustEnd(
  t: Test,
  files: Files,
  mediaType: MediaType,
  expected: Readonly<Record<string, Outcomes>>,
  types: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { world } = await givenReachable(t, { convertsImages: true })
  const at = await hostOf(t, files, types)
  const access = { ...accessOf(world), convertsVideos: ffmpeg !== undefined }
  const preview = createPreview({ log: world.log, clock: world.clock, access })
  const service = await givenProcess(world)
  const selections: Partial<Record<PlatformKey, string[]>> = {}
  for (const platform of PLATFORM_KEYS) selections[platform] = [await world.account(platform)]
  const posts: { readonly name: string; readonly id: string; readonly items: readonly PreviewItem[] }[] = []
  for (const name of Object.keys(files)) {
    const post = { mediaUrl: at(name), mediaType, caption: name, selections }
    const items = await preview({ workspaceId: world.workspaceId, hashtags: [], captionOverrides: {}, ...post })
    posts.push({ name, items, id: await service.queue(post) })
  }
  await service.drain()

  const known = await knownFiles(t, world, files)
  for (const { name, items, id } of posts) {
    const results = (await findPost(world.db, id))?.results ?? {}
    const outcomes: Outcomes = { ...expected[name], ...NEVER[mediaType] }
    const wrong: object[] = []
    for (const platform of PLATFORM_KEYS) {
      const why = platform in outcomes ? outcomes[platform] : outcomes.others
      const [result] = results[platform] ?? []
      const foreseen = items.find((item) => item.platform === platform)?.problems.join(' ') ?? ''
      const error = result?.ok ? '' : (result?.error ?? 'no result')
      const [post] = world.sandbox.ledger.posts(platform).filter(({ caption }) => caption === name)
      const isAsExpected = why ? !post && isSentence(error) && why.test(error) : error === ''
      const isForeseen = error === '' ? foreseen === '' : foreseen.includes(error)
      const isToldBefore = isForeseen || UNFORESEEN[name]?.includes(platform)
      const unfit = post ? await unfitness(world, post, known) : []
      if (!isAsExpected || !isToldBefore || unfit.length > 0) wrong.push({ platform, error, foreseen, unfit })
    }
    t.same(wrong, [], name)
  }
}

function isSentence(text: string): boolean {
  const isWhole = /^[\p{L}][^\n]{10,300}[\p{L}\d.)]$/u.test(text)
  return isWhole && !/undefined|\[object|NaN|\bat .+:\d+|\/(tmp|home|usr|var)\/|file:|\.ts\b/.test(text)
}

/** The originals and what was made of them, by their hashes: stand-ins keep no more than that of what they are sent. */
async function knownFiles(t: Test, world: World, files: Files): Promise<ReadonlyMap<string, Buffer>> {
  const directory = join(world.mediaDirectory, 'converted')
  const made: Buffer[] = []
  for (const name of await readdir(directory).catch(() => [])) {
    const file = await readFile(join(directory, name))
    made.push(file)
    if (name.endsWith('.jpg')) t.match(await sharp(file).metadata(), { format: 'jpeg', space: 'srgb' }, name)
  }
  const hashOf = (file: Buffer): string => createHash('sha256').update(file).digest('hex')
  return new Map([...Object.values(files), ...made].map((file) => [hashOf(file), file]))
}

/** @returns what the platform, by its own rules, would not take of what it has received */
async function unfitness(
  world: World,
  { platform, mediaUrl, mediaType }: LedgerPost,
  known: ReadonlyMap<string, Buffer>,
): Promise<readonly string[]> {
  if (mediaType === 'text') return ['no media']
  const file = await received(world, platform, mediaUrl, known)
  const facts = await mediaFacts(bytesSource(file))
  const connector = world.platforms[platform]
  const content = { text: '', mediaUrl, mediaType }
  return [...brokenRules(connector, content, [facts]), ...asSent(connector, content, [facts]).changes]
}

async function received(
  world: World,
  platform: PlatformKey,
  url: string,
  known: ReadonlyMap<string, Buffer>,
): Promise<Buffer> {
  const id = /\/(?:media|blobs)\/(.+)$/.exec(url)?.[1] ?? ''
  const uploaded = world.sandbox.ledger.media(platform, decodeURIComponent(id))
  if (!uploaded) return Buffer.from((await world.http.request(url, { maxBytes: 10_000_000 })).body)
  const file = known.get(uploaded.sha256)
  if (!file) throw new Error(`${platform} has received an unknown file of ${uploaded.bytes} bytes`)
  return file
}

t.test('given 60 odd files, when they are posted as images, then each is published or refused', async (t) => {
  const files = await oddImages()
  t.ok(Object.keys({ ...files, ...brokenVideos() }).length >= 60)
  await mustEnd(t, files, 'image', IMAGES, { 'said-to-be-a-page.jpg': 'text/html', 'page.jpg': 'image/jpeg' })
})

t.test('given what is no video, when it is posted as one, then it is refused', async (t) => {
  await mustEnd(t, brokenVideos(), 'video', BROKEN_VIDEOS)
})

t.test('given odd videos, when they are posted, then each is published or refused', options, async (t) => {
  await mustEnd(t, await oddVideos(ffmpeg ?? '', t.testdir()), 'video', VIDEOS)
})

t.test('given documents, and what is called one, then each is published on LinkedIn or refused', async (t) => {
  const files = {
    'slides.pdf': pdf(3),
    'letter.docx': docx(),
    'slides.pptx': pptx(),
    'letter.doc': compound('WordDocument'),
    'slides.ppt': compound('PowerPoint Document'),
    'named-otherwise.jpg': pdf(2),
    'book.pdf': pdf(301),
    'cut-off.pdf': pdf(30).subarray(0, 900),
    'photo.pdf': sample('picture.jpg'),
    'clip.pdf': sample('clip.mp4'),
    'page.pdf': Buffer.from('<!doctype html><title>Sign in</title>'),
    'notes.docx': Buffer.from('Rye bread, fresh from the oven.\n'),
    'empty.pdf': Buffer.alloc(0),
    'table.xls': compound('Workbook'),
    'photos.zip': zip(['photos/1.jpg']),
  }
  await mustEnd(t, files, 'document', DOCUMENTS, { 'named-otherwise.jpg': 'image/jpeg' })
})
