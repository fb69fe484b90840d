/** Each of these is a character of its own. */
const PLAIN = /^[\n\x20-\x7e]*$/

const segmenter = new Intl.Segmenter()

/** Characters as a reader counts them: a family emoji counts as one. Slow unless it is ASCII: bound the text first. */
export function graphemeLength(text: string): number {
  if (PLAIN.test(text)) return text.length
  let length = 0
  for (const _ of segmenter.segment(text)) length++
  return length
}
