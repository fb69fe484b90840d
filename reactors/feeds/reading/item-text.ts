import { Parser } from 'htmlparser2'

/** Markup beyond this length does not affect a line of text. */
const MAX_MARKUP = 20_000
const MAX_TITLE = 300
const SILENT: ReadonlySet<string> = new Set(['script', 'style'])
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
)

/** HTML as one line: tags removed, references decoded, white space collapsed. */
export function plainText(html: string): string {
  let text = ''
  let silent = 0
  const tag = (name: string, step: 1 | -1): void => {
    if (SILENT.has(name)) silent += step
    if (!INLINE.has(name)) text += ' '
  }
  const parser = new Parser({
    onopentagname: (name) => tag(name, 1),
    onclosetag: (name) => tag(name, -1),
    ontext: (piece) => {
      if (silent === 0) text += piece
    },
  })
  parser.end(html.slice(0, MAX_MARKUP))
  return oneLine(text)
}

/** Collapses white space and removes control characters. */
export function oneLine(text: string): string {
  return text
    .slice(0, MAX_MARKUP)
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
}

/** At most 300 characters, cut between words where possible. */
export function shortened(text: string): string {
  const characters = [...text]
  if (characters.length <= MAX_TITLE) return text
  const cut = characters.slice(0, MAX_TITLE - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${(space > MAX_TITLE / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}
