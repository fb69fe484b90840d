/** Characters as a reader counts them: a family emoji counts as one. Slow: bound the text first. */
export function graphemeLength(text: string): number {
  let length = 0
  for (const _ of new Intl.Segmenter().segment(text)) length++
  return length
}
