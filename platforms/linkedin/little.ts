/*
 * The "little" text format of `commentary`. Every reserved character of plain text is escaped: LinkedIn cuts the text,
 * without an error, where one is not.
 */

/** Not a part of a longer word or of a web address: those are no hashtags. */
const BEFORE_HASHTAG = String.raw`(?<![\p{L}\p{N}\p{M}_#&=/])`
/** LinkedIn makes a hashtag of `#` and a word; of a number alone nobody means one. */
const HASHTAG_SIGN = String.raw`${BEFORE_HASHTAG}#(?=\p{N}*\p{L})`
const RESERVED = new RegExp(String.raw`(${HASHTAG_SIGN})|[\\|{}@\[\]()<>#*_~]`, 'gu')

/** Plain text as `commentary`: shown as it was written, its hashtags live. */
export function toLittle(text: string): string {
  return text.replace(RESERVED, (char: string, hashtag: string | undefined) => hashtag ?? `\\${char}`)
}

/** The text of a `commentary` that was read back: LinkedIn may write hashtags as templates. */
export function fromLittle(commentary: string): string {
  return commentary
    .replace(/\{hashtag\|\\?[#＃]\|((?:[^\\}]|\\.)*)\}/gu, '#$1')
    .replace(/\\([\\|{}@[\]()<>#*_~])/g, '$1')
}
