import { createHash } from 'node:crypto'
import type { Font } from './font.ts'
import { wrap, writable } from './wrap.ts'

/** A line of centered text on a card. */
export interface CardLine {
  readonly text: string
  /** Pixels per em. */
  readonly size: number
  /** Pixels from the top. */
  readonly baseline: number
  /** Seconds before it starts to fade in; absent: visible from the start. */
  readonly fadesInAfter?: number
}

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number]

/** What a clip shows. */
export interface Card {
  readonly width: number
  readonly height: number
  readonly lines: readonly CardLine[]
  /** The background shifts between these two. Both are dark, because the text is white. */
  readonly colours: readonly [Colour, Colour]
}

export const CARD_SHAPES = ['9:16', '1:1', '16:9'] as const
export type CardShape = (typeof CARD_SHAPES)[number]

interface Size {
  readonly width: number
  readonly height: number
}

/** Within the limits of every platform that accepts videos; X has the strictest. */
const SIZES: Readonly<Record<CardShape, Size>> = {
  '9:16': { width: 720, height: 1280 },
  '1:1': { width: 720, height: 720 },
  '16:9': { width: 1280, height: 720 },
}

const NOTICE = 'Sandbox renderer: a title card, made without AI'
const NOTHING_TO_WRITE = 'The font of the sandbox does not cover this prompt'
const MARGIN = 56
/** Tried in order, largest first, until the whole text fits. */
const TEXT_SIZES = [72, 60, 52, 44, 36, 30]
const LINE_HEIGHT = 1.3
const NOTICE_SIZE = 22
/** Share of the height reserved for the text, vertically centered. */
const TEXT_SHARE = 0.7

/** A title card for a prompt. Deterministic. */
export function layOutCard(prompt: string, shape: CardShape, font: Font): Card {
  const { width, height } = SIZES[shape]
  const notice = { text: NOTICE, size: NOTICE_SIZE, baseline: height - MARGIN }
  const text = writable(prompt, font)
  const lines = titleLines(text === '' ? NOTHING_TO_WRITE : text, { width, height }, font)
  return { width, height, lines: [...lines, notice], colours: coloursOf(prompt) }
}

function titleLines(text: string, { width, height }: Size, font: Font): readonly CardLine[] {
  const roomAt = (size: number) => ({
    width: (width - 2 * MARGIN) / size,
    lines: Math.floor((height * TEXT_SHARE) / (size * LINE_HEIGHT)),
  })
  let lines: readonly string[] = []
  let size = 0
  for (size of TEXT_SIZES) {
    const wrapped = wrap(text, roomAt(size), font)
    lines = wrapped.lines
    if (wrapped.whole) break
  }
  const step = size * LINE_HEIGHT
  const firstBaseline = (height - lines.length * step) / 2 + size
  return lines.map((line, index) => ({
    text: line,
    size,
    baseline: Math.round(firstBaseline + index * step),
    fadesInAfter: 0.3 + 0.1 * Math.min(index, 10),
  }))
}

/** Derived from the prompt, predominantly blue, and far enough apart for the movement to be visible. */
function coloursOf(prompt: string): readonly [Colour, Colour] {
  const digest = createHash('sha256').update(prompt).digest()
  const upTo = (most: number, at: number): number => digest.readUInt8(at) % (most + 1)
  const dark: Colour = [upTo(56, 0), upTo(40, 1), 40 + upTo(56, 2)]
  const [red, green, blue] = dark
  return [dark, [red + 32 + upTo(48, 3), green + 16 + upTo(32, 4), blue + 40 + upTo(48, 5)]]
}
