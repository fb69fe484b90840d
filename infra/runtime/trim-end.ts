const LOW_SURROGATE = /[\udc00-\udfff]/

/**
 * Trims the matching characters at the end, in time proportional to their number. A pattern like `/x+$/` would retry from each
 * `x` in the text.
 *
 * @param trailing matches one character, `/^x$/`
 */
export function trimEnd(text: string, trailing: RegExp): string {
  let end = text.length
  while (end > 0) {
    const start = Math.max(0, end - (LOW_SURROGATE.test(text.charAt(end - 1)) ? 2 : 1))
    if (!trailing.test(text.slice(start, end))) break
    end = start
  }
  return text.slice(0, end)
}
