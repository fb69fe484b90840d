import { HOST } from './people.ts'

const TOKEN = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'’”…]|(?<![\w/@])@[\w.]*\w(?:@[\w.-]*\w)?|(?<![\w&/])#\w+/giu
const REL = 'rel="nofollow noopener" target="_blank" translate="no"'
/** Characters of a link that are shown, after its protocol. */
const SHOWN = 30

/** A text as Mastodon shows it: paragraphs, line breaks, and links whose middle part alone is visible. */
export function shownHtml(text: string, isKnown: (username: string) => boolean): string {
  const paragraphs = text.replaceAll(/\r\n?/g, '\n').trim().split(/\n\n+/)
  const inLine = (line: string): string => {
    let html = ''
    let at = 0
    for (const match of line.matchAll(TOKEN)) {
      html += escaped(line.slice(at, match.index)) + token(match[0], isKnown)
      at = match.index + match[0].length
    }
    return html + escaped(line.slice(at))
  }
  if (text.trim() === '') return ''
  return paragraphs.map((paragraph) => `<p>${paragraph.split('\n').map(inLine).join('<br />')}</p>`).join('')
}

function token(found: string, isKnown: (username: string) => boolean): string {
  const [, name = '', host = HOST] = found.split('@')
  if (found.startsWith('#')) {
    const tag = escaped(found.slice(1))
    return `<a href="https://${HOST}/tags/${tag.toLowerCase()}" class="mention hashtag" rel="tag">#<span>${tag}</span></a>`
  }
  if (found.startsWith('@')) {
    if (host !== HOST || !isKnown(name)) return escaped(found)
    const url = `https://${HOST}/@${name}`
    return `<span class="h-card" translate="no"><a href="${url}" class="u-url mention">@<span>${escaped(name)}</span></a></span>`
  }
  const protocol = /^https?:\/\/(?:www\.)?/i.exec(found)?.[0] ?? ''
  const [seen, rest] = [found.slice(protocol.length, protocol.length + SHOWN), found.slice(protocol.length + SHOWN)]
  const invisible = (part: string) => `<span class="invisible">${escaped(part)}</span>`
  const shown = `<span class="${rest === '' ? '' : 'ellipsis'}">${escaped(seen)}</span>`
  return `<a href="${escaped(found)}" ${REL}>${invisible(protocol)}${shown}${invisible(rest)}</a>`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
