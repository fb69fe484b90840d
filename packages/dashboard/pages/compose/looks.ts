import { t } from '@lingui/core/macro'

/** How a network shows posts. What its app cuts off, and how it crops, differs a little between devices. */
export interface Look {
  /** Where the text is, seen from the media. */
  readonly text: 'above' | 'below'
  /** Which media fill a screen of 9 by 16, with the text over them. */
  readonly fills?: 'all' | 'video' | 'upright-video'
  /** Whether those show the title alone. */
  readonly isTitled?: boolean
  readonly several: 'grid' | 'carousel'
  /** Width by height to which media are cropped: the tallest and the widest. */
  readonly ratios: readonly [number, number]
  /** Where the text is cut off. */
  readonly cut?: { readonly characters: number; readonly lines: number; readonly more: string }
  /** What leads somewhere in the text. */
  readonly marks: readonly Mark[]
  /** Which link it shows as a card: the first of a text without media, or the one that the options set. */
  readonly card?: 'text' | 'option'
  /** Whether the text begins with the name of the account. */
  readonly isSigned?: boolean
}

export type Mark = 'link' | 'hashtag' | 'mention'

const ALL: readonly Mark[] = ['link', 'hashtag', 'mention']

/** What is not known of a network. */
const PLAIN: Look = { text: 'above', several: 'grid', ratios: [0.5, 2], marks: ALL }

const LOOKS: Readonly<Record<string, Look>> = {
  bluesky: { text: 'above', several: 'grid', ratios: [0.5, 3], marks: ALL },
  facebook: {
    text: 'above',
    fills: 'upright-video',
    several: 'grid',
    ratios: [0.8, 1.91],
    cut: { characters: 480, lines: 5, more: t`See more` },
    marks: ['link', 'hashtag'],
    card: 'option',
  },
  googlebusiness: {
    text: 'below',
    several: 'carousel',
    ratios: [4 / 3, 4 / 3],
    marks: [],
    cut: { characters: 150, lines: 4, more: t`Read more` },
  },
  instagram: {
    text: 'below',
    fills: 'video',
    several: 'carousel',
    ratios: [0.8, 1.91],
    isSigned: true,
    cut: { characters: 125, lines: 2, more: t`more` },
    marks: ['hashtag', 'mention'],
  },
  linkedin: {
    text: 'above',
    several: 'grid',
    ratios: [0.8, 1.91],
    marks: ['link', 'hashtag'],
    cut: { characters: 210, lines: 3, more: t`more` },
  },
  mastodon: { text: 'above', several: 'grid', ratios: [0.5, 3], marks: ALL, card: 'text' },
  pinterest: {
    text: 'below',
    several: 'carousel',
    ratios: [0.47, 2],
    marks: [],
    card: 'option',
    cut: { characters: 100, lines: 2, more: t`more` },
  },
  threads: { text: 'above', several: 'carousel', ratios: [0.5, 2], marks: ALL, card: 'text' },
  tiktok: {
    text: 'below',
    fills: 'all',
    several: 'carousel',
    ratios: [9 / 16, 9 / 16],
    cut: { characters: 150, lines: 2, more: t`more` },
    marks: ['hashtag', 'mention'],
  },
  x: {
    text: 'above',
    several: 'grid',
    ratios: [0.75, 3],
    marks: ALL,
    card: 'text',
    cut: { characters: 280, lines: Infinity, more: t`Show more` },
  },
  youtube: {
    text: 'below',
    fills: 'upright-video',
    isTitled: true,
    several: 'carousel',
    ratios: [16 / 9, 16 / 9],
    marks: ALL,
    cut: { characters: 150, lines: 3, more: t`more` },
  },
}

export function lookOf(platform: string): Look {
  return LOOKS[platform] ?? PLAIN
}

/** How close to the end of a cut (characters) a word is kept whole. */
const WORD = 20

/**
 * What is seen of a text before it is opened. Undefined: all of it.
 *
 * @param length as the network counts, if that is known
 */
export function beginningOf(text: string, { cut }: Look, length?: number): string | undefined {
  if (!cut) return undefined
  const characters = [...text]
  const ofLines = [...text.split('\n').slice(0, cut.lines).join('\n')].length
  const most = Math.min((length ?? characters.length) > cut.characters ? cut.characters : Infinity, ofLines)
  const next = characters[most]
  if (next === undefined) return undefined
  const begun = characters.slice(0, most).join('')
  const word = /\s/.test(next) ? -1 : begun.search(/\s\S*$/)
  return (word > Math.max(0, begun.length - WORD) ? begun.slice(0, word) : begun).trimEnd()
}

export interface Piece {
  readonly text: string
  readonly mark?: Mark
}

const MARKED =
  /(?<link>https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'’”…])|(?<![\p{L}\p{N}_&/])(?:(?<hashtag>#[\p{L}\p{M}\p{N}_]+)|(?<mention>@[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?))/gu

/** A text with what the network marks in it. */
export function piecesOf(text: string, { marks }: Look): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { 0: found, index, groups = {} } of text.matchAll(MARKED)) {
    const mark = marks.find((one) => groups[one] !== undefined)
    if (!mark) continue
    pieces.push({ text: text.slice(at, index) }, { text: found, mark })
    at = index + found.length
  }
  return [...pieces, { text: text.slice(at) }]
}

/** The host of the link that the network shows as a card. */
export function cardOf(
  { card }: Look,
  { text, options = {}, hasMedia }: { text: string; options?: Readonly<Record<string, unknown>>; hasMedia: boolean },
): string | undefined {
  const { link } = options
  const url = card === 'option' ? link : card === 'text' && !hasMedia ? firstLink(text) : undefined
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : undefined
}

function firstLink(text: string): string | undefined {
  for (const { groups } of text.matchAll(MARKED)) if (groups?.['link'] !== undefined) return groups['link']
  return undefined
}
