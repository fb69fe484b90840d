import { trimEnd } from '../../infra/runtime/trim-end.ts'

/** An emoji with everything that belongs to it: skin tones, joiners, flag tags. */
const EMOJI =
  /(?:[0-9#*]\u{fe0f}?\u{20e3}|\p{Extended_Pictographic}|\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Emoji_Modifier})(?:\u{200d}|\u{fe0f}|\p{Emoji_Modifier}|[\u{e0020}-\u{e007f}])*/gu

/** The length of a text as Threads counts it: characters, with emoji as their UTF-8 bytes. */
export function textLength(text: string): number {
  const emoji = text.match(EMOJI) ?? []
  const bytes = emoji.reduce((sum, one) => sum + Buffer.byteLength(one), 0)
  return [...text.replaceAll(EMOJI, '')].length + bytes
}

const LINK = /(?:https?:\/\/|\bwww\.)[^\s<>"]+/giu
const NOT_OF_THE_LINK = /^[.,;:!?)\]}'’”…]$/u

/** The number of distinct links in a text. */
export function linkCount(text: string): number {
  return new Set((text.match(LINK) ?? []).map((link) => trimEnd(link, NOT_OF_THE_LINK))).size
}
