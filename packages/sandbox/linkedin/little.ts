const RESERVED = /[\\|{}@[\]()<>#*_~]/
const ESCAPED = /^\\[\\|{}@[\]()<>#*_~]/
const HASHTAG = /^#[\p{L}\p{N}\p{M}]+/u
const PLAIN = /^[^\\|{}@[\]()<>#*_~]+/

/** The visible part of a `commentary`: silently truncated at an unescaped reserved character. */
export function shownText(commentary: string): string {
  let shown = ''
  for (let rest = commentary; rest !== '';) {
    const [taken, text] = next(rest)
    if (taken === 0) return shown
    shown += text
    rest = rest.slice(taken)
  }
  return shown
}

function next(rest: string): readonly [taken: number, text: string] {
  if (ESCAPED.test(rest)) return [2, rest.charAt(1)]
  const plain = (RESERVED.test(rest.charAt(0)) ? HASHTAG : PLAIN).exec(rest)?.[0] ?? ''
  return [plain.length, plain]
}
