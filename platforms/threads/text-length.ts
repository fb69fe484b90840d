import { trimEnd } from '../../infra/runtime/trim-end.ts'

/** An emoji with all that belongs to it: skin tones, what joins it to the next one, the tags of a flag. */
const EMOJI =
  /(?:[0-9#*]\u{fe0f}?\u{20e3}|\p{Extended_Pictographic}|\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Emoji_Modifier})(?:\u{200d}|\u{fe0f}|\p{Emoji_Modifier}|[\u{e0020}-\u{e007f}])*/gu

/** The length of a text as Threads counts: characters, and emoji as the bytes of their UTF-8. */
export function textLength(text: string): number {
  const emoji = text.match(EMOJI) ?? []
  const bytes = emoji.reduce((sum, one) => sum + Buffer.byteLength(one), 0)
  return [...text.replaceAll(EMOJI, '')].length + bytes
}

const LINK = /(?:https?:\/\/|\bwww\.)[^\s<>"]+/giu
const NOT_OF_THE_LINK = /^[.,;:!?)\]}'’”…]$/u

/** How many different links a text holds. */
export function linkCount(text: string): number {
  return new Set((text.match(LINK) ?? []).map((link) => trimEnd(link, NOT_OF_THE_LINK))).size
}
