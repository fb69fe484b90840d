/*
 * The "little" text format of `commentary`. Every reserved character must be escaped: LinkedIn silently truncates the
 * text at one that is not.
 */

/** Excludes a `#` within a longer word or a web address. */
const BEFORE_HASHTAG = String.raw`(?<![\p{L}\p{N}\p{M}_#&=/])`
/** LinkedIn turns `#` and a word into a hashtag; `#` and a bare number is not meant as one. */
const HASHTAG_SIGN = String.raw`${BEFORE_HASHTAG}#(?=\p{N}*\p{L})`
const RESERVED = new RegExp(String.raw`(${HASHTAG_SIGN})|[\\|{}@\[\]()<>#*_~]`, 'gu')

/** Encodes plain text as `commentary`, so that it shows as written and its hashtags work. */
export function toLittle(text: string): string {
  return text.replace(RESERVED, (char: string, hashtag: string | undefined) => hashtag ?? `\\${char}`)
}

/** Decodes a `commentary` that was read back, in which LinkedIn may write hashtags as templates. */
export function fromLittle(commentary: string): string {
  return commentary
    .replace(/\{hashtag\|\\?[#＃]\|((?:[^\\}]|\\.)*)\}/gu, '#$1')
    .replace(/\\([\\|{}@[\]()<>#*_~])/g, '$1')
}
