const LINK = /https?:\/\/\S+|(?<![\w@.-])(?:[a-z0-9-]+\.)+(?:com|org|net|io|de|uk|jp)\b(?:\/\S*)?/gi
const LIGHT = /[\u{0}-\u{10ff}\u{2000}-\u{200d}\u{2010}-\u{201f}\u{2032}-\u{2037}]/u
const CASHTAG = /(?<!\S)\$[a-z]{1,6}(?![\w$])/gi

/** How long a post is to X. Of bare domains only the usual ones are known: enough to refuse what is clearly too long. */
export function weight(text: string): number {
  const short = text.normalize('NFC').replaceAll(LINK, 'x'.repeat(23))
  const emojis = new RegExp('\\p{RGI_Emoji}', 'gv')
  return [...short.replaceAll(emojis, '字')].reduce((sum, character) => sum + (LIGHT.test(character) ? 1 : 2), 0)
}

export function cashtags(text: string): number {
  return text.match(CASHTAG)?.length ?? 0
}
