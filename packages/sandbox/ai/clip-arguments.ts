import type { Card, CardLine, Colour } from './card.ts'

/** Files of one rendering, all in ffmpeg's working directory, so that no name needs quoting. */
export const FONT_FILE = 'font.ttf'
export const CLIP_FILE = 'clip.mp4'
export function lineFile(index: number): string {
  return `line-${index}.txt`
}

const SECONDS = 5
const FRAMES_PER_SECOND = 30
export const FRAMES = SECONDS * FRAMES_PER_SECOND
const FADE_SECONDS = 0.6
const BAR_HEIGHT = 10
/** Pixels of the background before scaling. */
const STRIPES = 16
/** Hertz, left and right channel. */
const TONES = [220, 277]

/**
 * ffmpeg arguments: H.264 High, yuv420p, constant 30 frames per second, a closed GOP every 2 s, soft tones as 48 kHz AAC-LC
 * stereo, and the index at the front. No text appears among them: each line is read verbatim from a file.
 */
export function clipArguments(card: Card): readonly string[] {
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-nostats', '-progress', 'pipe:1'],
    ...['-filter_complex', `${pictures(card)};${sound()}`, '-map', '[pictures]', '-map', '[sound]'],
    ...['-c:v', 'libx264', '-profile:v', 'high', '-preset', 'superfast', '-crf', '23', '-pix_fmt', 'yuv420p'],
    ...['-g', String(2 * FRAMES_PER_SECOND), '-sc_threshold', '0', '-flags', '+cgop', '-threads', '2'],
    ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
    ...['-c:a', 'aac', '-b:a', '128k', '-ar', '48000', '-ac', '2'],
    ...['-metadata', 'comment=Rendered by a sandbox, without AI', '-movflags', '+faststart', CLIP_FILE],
  ]
}

function pictures({ width, height, lines, colours }: Card): string {
  const source = `s=1x${STRIPES}:r=${FRAMES_PER_SECOND}:d=${SECONDS}`
  const stretched = `scale=${width}x${height}:flags=bicubic:out_color_matrix=bt709,setsar=1,format=yuv420p`
  const background = `nullsrc=${source},format=gbrp,geq=${mixed(colours)},${stretched}`
  const bar = `color=c=white:s=${width}x${BAR_HEIGHT}:r=${FRAMES_PER_SECOND}:d=${SECONDS},format=yuv420p`
  const written = [background, ...lines.map(writtenLine)].join(',')
  return `${written}[card];${bar}[bar];[card][bar]overlay=x='w*(t/${SECONDS}-1)':y=H-h[pictures]`
}

/** The mix varies by stripe and over time. */
function mixed([from, to]: readonly [Colour, Colour]): string {
  const mix = `(0.5+0.5*sin(3*Y/${STRIPES}+0.6*T))`
  return ['r', 'g', 'b']
    .map((name, at) => `${name}='${from[at]}+${Number(to[at]) - Number(from[at])}*${mix}'`)
    .join(':')
}

function writtenLine({ size, baseline, fadesInAfter }: CardLine, index: number): string {
  const options = [
    `fontfile=${FONT_FILE}`,
    `textfile=${lineFile(index)}`,
    'expansion=none',
    'fontcolor=white',
    `fontsize=${size}`,
    'x=(w-text_w)/2',
    `y=${baseline}-max_glyph_a`,
    ...(fadesInAfter === undefined ? [] : [`alpha='clip((t-${fadesInAfter.toFixed(1)})/${FADE_SECONDS},0,1)'`]),
  ]
  return `drawtext=${options.join(':')}`
}

/** One tone per channel. */
function sound(): string {
  const tones = TONES.map((hertz, index) => `sine=f=${hertz}:r=48000:d=${SECONDS}[tone${index}]`).join(';')
  const soft = `volume=0.3,afade=t=in:d=${FADE_SECONDS},afade=t=out:st=${SECONDS - FADE_SECONDS}:d=${FADE_SECONDS}`
  return `${tones};[tone0][tone1]amerge=inputs=${TONES.length},${soft}[sound]`
}
