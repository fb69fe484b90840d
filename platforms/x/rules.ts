import type { MediaFacts } from '../../infra/media/media.ts'
import type { Checked, TextLength } from '../kit/media-set.ts'
import type { Credentials, Platform } from '../kit/platform.ts'
import { weightedLength } from './weighted-length.ts'

/** Limits that depend on the account's subscription and the app's plan. */
export interface Allowance {
  /** Weighted characters per post. */
  readonly maxChars: number
  /** Apps without an enterprise plan may use one cashtag per post. */
  readonly maxCashtags: number
  readonly video: { readonly maxBytes: number; readonly maxMs: number }
}

const MINUTE_MS = 60_000
/** As of September 2026. Gigabytes and megabytes are read as decimal, the smaller unit. */
const VIDEO = {
  usual: { maxBytes: 8_000_000_000, maxMs: 20 * MINUTE_MS },
  premium: { maxBytes: 16_000_000_000, maxMs: 125 * MINUTE_MS },
}

export const USUAL: Allowance = { maxChars: 280, maxCashtags: 1, video: VIDEO.usual }

/** The highest limit of any account. */
export const MOST_CHARS = 25_000
/** Longer texts are refused unmeasured; only one made almost entirely of links could be within the limit. */
const MEASURED_UNITS = 50_000

const MAX_STILL_BYTES = 5_000_000
const VIDEO_TYPES: readonly string[] = ['video/mp4', 'video/quicktime']
const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

export const TAKES = {
  image: {
    ...{ maxBytes: 15_000_000, most: 4, altText: 1_000 },
    shape: { types: IMAGE_TYPES, maxBytes: MAX_STILL_BYTES },
  },
  video: {
    maxBytes: USUAL.video.maxBytes,
    shape: { types: VIDEO_TYPES, videoCodecs: ['h264'], audioCodecs: ['aac'], fps: 60, maxMs: VIDEO.premium.maxMs },
  },
  text: { chain: true },
} as const
/** For animated GIFs, but applied to all: the facts do not say which are animated, and larger still GIFs are rare. */
const GIF_SIDES = { longer: 1280, shorter: 1080 }
/** X gives 1280x1024 and recommends 720x1280, so the limits are read as those of the longer and the shorter side. */
const VIDEO_SIDES = { least: 32, longer: 1280, shorter: 1024 }
const VIDEO_RATIO = 3
const LEAST_VIDEO_MS = 500

const CASHTAG = /(?<=^|\s)\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|[\s!'#%&()*+,\\\-./:;<=>?@[\]^_{|}~$])/gi
/** Noncharacters and the byte order mark. */
const NOT_ALLOWED = /[\ufffe\uffff\ufeff]/

/** The allowance given by an account's credentials. */
export function allowanceOf({ maxChars: given, tier }: Credentials): Allowance {
  const maxChars = given === undefined ? USUAL.maxChars : Number(given)
  return {
    maxChars,
    maxCashtags: tier === 'enterprise' ? Infinity : USUAL.maxCashtags,
    // Only X Premium has longer posts.
    video: maxChars > USUAL.maxChars ? VIDEO.premium : VIDEO.usual,
  }
}

/** The rules for an account: its own allowance decides. */
export function rulesOf<P extends Pick<Platform, 'takes'>>(platform: P, credentials: Credentials) {
  const allowance = allowanceOf(credentials)
  const takes = { ...platform.takes, video: { ...platform.takes.video, ...allowance.video } }
  return {
    ...platform,
    takes,
    check: (...[post, facts]: Parameters<Platform['check']>) => brokenRules(post, facts, allowance),
    measure: ({ text }: Pick<Checked, 'text'>) => measured(text, allowance),
  }
}

export function measured(text: string, { maxChars: most }: Allowance): TextLength {
  return { length: text.length > MEASURED_UNITS ? text.length : weightedLength(text), most }
}

/** Every X rule that a post breaks, each as a sentence. Facts that are unknown are left for X to judge. */
export function brokenRules(
  { text, items = 1 }: Pick<Checked, 'text' | 'items'>,
  facts: MediaFacts | undefined,
  allowance: Allowance,
): readonly string[] {
  return [
    ...brokenTextRules(text, allowance),
    ...(facts ? brokenMediaRules(facts, allowance) : []),
    // The facts do not say which are animated; only those must be alone.
    ...(items > 1 && facts?.mimeType === 'image/gif' ? ['X accepts a GIF only as the one image of a post.'] : []),
  ]
}

function brokenTextRules(text: string, { maxChars, maxCashtags }: Allowance): readonly string[] {
  const takes = `X accepts posts of at most ${maxChars} characters, counting a link as 23 and emoji and most Asian characters as 2`
  if (text.length > MEASURED_UNITS) return [`${takes}; this one has more than ${MEASURED_UNITS}.`]
  const length = weightedLength(text)
  const cashtags = text.match(CASHTAG)?.length ?? 0
  return [
    ...(length > maxChars ? [`${takes}; this one has ${length}.`] : []),
    ...(cashtags > maxCashtags
      ? [`X accepts at most ${maxCashtags} cashtag in a post; this one has ${cashtags}.`]
      : []),
    ...(NOT_ALLOWED.test(text)
      ? ['X does not accept text with U+FEFF, U+FFFE or U+FFFF; this one contains one of them.']
      : []),
  ]
}

function brokenMediaRules(facts: MediaFacts, allowance: Allowance): readonly string[] {
  return facts.mediaType === 'image' ? brokenImageRules(facts) : brokenVideoRules(facts, allowance)
}

function brokenImageRules({ mimeType, bytes, width = 0, height = 0 }: MediaFacts): readonly string[] {
  if (!IMAGE_TYPES.includes(mimeType)) return [`X accepts images as JPEG, PNG, GIF or WebP; this one is ${mimeType}.`]
  if (mimeType !== 'image/gif') {
    return bytes > MAX_STILL_BYTES ? [`X accepts images of at most 5 MB; this one has ${bytes / 1e6} MB.`] : []
  }
  return [
    ...(bytes > TAKES.image.maxBytes ? [`X accepts GIFs of at most 15 MB; this one has ${bytes / 1e6} MB.`] : []),
    ...(Math.max(width, height) > GIF_SIDES.longer || Math.min(width, height) > GIF_SIDES.shorter
      ? [`X accepts GIFs of at most ${GIF_SIDES.longer}x${GIF_SIDES.shorter} pixels; this one is ${width}x${height}.`]
      : []),
  ]
}

function brokenVideoRules(facts: MediaFacts, { video }: Allowance): readonly string[] {
  const { mimeType, bytes, width, height, durationMs } = facts
  const broken: string[] = []
  if (!VIDEO_TYPES.includes(mimeType)) broken.push(`X accepts videos as MP4 or MOV; this one is ${mimeType}.`)
  if (bytes > video.maxBytes) {
    broken.push(
      `X accepts videos of at most ${video.maxBytes / 1e9} GB from this account; this one has ${bytes / 1e9} GB.`,
    )
  }
  if (width !== undefined && height !== undefined) {
    const { least } = VIDEO_SIDES
    const size = `this one is ${width}x${height}`
    if (Math.min(width, height) < least) {
      broken.push(`X accepts videos of at least ${least}x${least} pixels; ${size}.`)
    }
    if (Math.max(width, height) > Math.min(width, height) * VIDEO_RATIO) {
      broken.push(`X accepts videos with a ratio from 1:3 to 3:1; ${size}.`)
    }
  }
  if (durationMs !== undefined && (durationMs < LEAST_VIDEO_MS || durationMs > video.maxMs)) {
    const most = video.maxMs / MINUTE_MS
    broken.push(
      `X accepts videos of 0.5 seconds to ${most} minutes from this account; this one is ${durationMs / 1000} seconds.`,
    )
  }
  return broken
}

/** What X may do differently than expected. Its documents still name a size that it has been seen to exceed. */
export function warnings({ mediaType, width = 0, height = 0 }: MediaFacts): readonly string[] {
  const { longer, shorter } = VIDEO_SIDES
  const isLarge = Math.max(width, height) > longer || Math.min(width, height) > shorter
  if (mediaType !== 'video' || !isLarge) return []
  return [
    `X documents videos of at most ${longer}x${shorter} pixels, portrait or landscape; this one is ${width}x${height}. ` +
      'X usually accepts 1080p, and shows it at 720p to accounts without Premium.',
  ]
}
