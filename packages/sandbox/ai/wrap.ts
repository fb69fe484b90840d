import type { Font } from './font.ts'

export interface Room {
  /** In em. */
  readonly width: number
  readonly lines: number
}

export interface Wrapped {
  readonly lines: readonly string[]
  /** Whether all of it fit. */
  readonly whole: boolean
}

const SPACES = /[\s\p{Cc}]+/gu
/** Formatting, surrogates, private-use and unassigned characters: nothing visible. */
const UNSEEN = /\p{C}/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The part of a text that the font can render, on one line; may be empty. */
export function writable(text: string, font: Font): string {
  const spaced = text.normalize('NFC').replaceAll(SPACES, ' ')
  const kept = [...spaced].filter((character) => !UNSEEN.test(character) && font.advanceOf(character) !== undefined)
  return kept.join('').replaceAll(/ +/g, ' ').trim()
}

/** Breaks a text at spaces, and words wider than a line anywhere; text that does not fit ends with an ellipsis. */
export function wrap(text: string, room: Room, font: Font): Wrapped {
  const fits = (line: string): boolean => widthOf(line, font) <= room.width
  const lines: string[] = []
  let line = ''
  for (const piece of text.split(' ').flatMap((word) => (fits(word) ? [word] : broken(word, fits)))) {
    const longer = line === '' ? piece : `${line} ${piece}`
    if (fits(longer)) line = longer
    else {
      lines.push(line)
      line = piece
    }
  }
  lines.push(line)
  if (lines.length <= room.lines) return { lines, whole: true }
  const last = lines[room.lines - 1] ?? ''
  return { lines: [...lines.slice(0, room.lines - 1), shortened(last, fits)], whole: false }
}

function widthOf(line: string, font: Font): number {
  return [...line].reduce((width, character) => width + (font.advanceOf(character) ?? 0), 0)
}

/** Pieces as wide as fit, each at least one grapheme. */
function broken(word: string, fits: (line: string) => boolean): readonly string[] {
  const pieces: string[] = []
  let piece = ''
  for (const { segment } of graphemes.segment(word)) {
    if (piece !== '' && !fits(piece + segment)) {
      pieces.push(piece)
      piece = ''
    }
    piece += segment
  }
  return [...pieces, piece]
}

function shortened(line: string, fits: (line: string) => boolean): string {
  const kept = [...graphemes.segment(line)].map(({ segment }) => segment)
  while (kept.length > 0 && !fits(`${kept.join('')}…`)) kept.pop()
  return `${kept.join('').trimEnd()}…`
}
