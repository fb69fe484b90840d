import { createHash } from 'node:crypto'
import { PLATFORM_NAMES } from '../../domain/core/platform.ts'
import { Html, isWeb, markup } from './html.ts'
import type { LedgerAccount, LedgerComment, LedgerItem, LedgerPost } from './ledger.ts'

/** An item as a browser can show it; without a URL, the sandbox has not kept it. */
export type ShownItem = Omit<LedgerItem, 'mediaUrl'> & { readonly url: string | undefined }

export interface ShownPost {
  readonly post: LedgerPost
  readonly items: readonly ShownItem[]
  readonly account: LedgerAccount | undefined
  readonly comments: readonly LedgerComment[]
  /** Of the same account, such as the further parts of a chain, in order. */
  readonly replies: readonly ShownPost[]
}

const NOTHING = new Html('')
const STYLE = `
:root { color-scheme: light dark; --line: #d9dce1; --soft: #5b6472; --card: #fff; --back: #f3f4f6; --mark: #8a4b00; --mark-back: #fff1d6 }
@media (prefers-color-scheme: dark) { :root { --line: #343a44; --soft: #a3acba; --card: #1b1f26; --back: #12151a; --mark: #ffcf85; --mark-back: #40300f } }
* { box-sizing: border-box }
body { margin: 0; padding: 24px 12px; background: var(--back); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 560px; margin: 0 auto; background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden }
header { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; padding: 12px 16px; border-bottom: 1px solid var(--line) }
header b { font-size: 18px }
.mark { background: var(--mark-back); color: var(--mark); border-radius: 6px; padding: 0 8px; font-size: 13px; font-weight: 600 }
.hint { color: var(--soft); font-size: 14px }
article { padding: 14px 16px }
article + article { border-top: 1px solid var(--line) }
article > *, section > * { margin: 0 0 12px }
h1, h2 { font-size: 16px }
.text { white-space: pre-wrap }
img, video { display: block; width: 100%; max-height: 640px; object-fit: contain; background: var(--back); border-radius: 8px }
section { padding: 14px 16px 2px; border-top: 1px solid var(--line) }
ul { list-style: none; padding: 0 }
ul ul { margin-top: 8px; padding-left: 20px; border-left: 2px solid var(--line) }
li { margin-bottom: 12px }
li p { margin: 0 }
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Nothing runs, and nothing but the media is loaded. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src http: https:; media-src http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

const dateTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** One post with everything under it. */
export function postPage(shown: ShownPost): string {
  const name = PLATFORM_NAMES[shown.post.platform]
  const comments = list(undefined, shown.comments)
  const section = comments === NOTHING ? NOTHING : markup`<section><h2>Comments</h2>${comments}</section>`
  const articles = [article(shown, 'h1'), ...later(shown)]
  return page(`${nameOf(shown)} on ${name}`, name, markup`${articles}${section}`)
}

/** @param why a sentence */
export function missingPage(name: string, why: string): string {
  return page(why, name, markup`<article><h1>${why}</h1></article>`)
}

function page(title: string, name: string, content: Html): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} (sandbox)</title>
<style>${new Html(STYLE)}</style>
</head>
<body><main>
<header><b>${name}</b> <span class="mark">Sandbox</span> <span class="hint">Not published on the real platform.</span></header>
${content}
</main></body>
</html>
`.text
}

function article(shown: ShownPost, level: 'h1' | 'h2'): Html {
  const { post, items } = shown
  const heading = level === 'h1' ? markup`<h1>${nameOf(shown)}</h1>` : markup`<h2>${nameOf(shown)}</h2>`
  const title = markupIf(textIn(post, 'title'), (text) => markup`<p><b>${text}</b></p>`)
  const link = markupIf(textIn(post, 'link'), (url) =>
    isWeb(url) ? markup`<p><a href="${url}">${url}</a></p>` : NOTHING,
  )
  const text = markupIf(post.caption || undefined, (caption) => markup`<p class="text">${caption}</p>`)
  const draft = post.isDraft ? ' · A draft that its owner has not published yet' : ''
  const hidden = post.isHidden ? ' · Only its owner can see it' : ''
  return markup`<article>${heading}${title}${items.map(media)}${text}${link}
<p class="hint">${time(post.createdAt)}${draft}${hidden}</p></article>
`
}

function later({ replies }: ShownPost): readonly Html[] {
  return replies.flatMap((reply) => [article(reply, 'h2'), ...later(reply)])
}

function media({ url, mediaType, altText }: ShownItem): Html {
  if (url === undefined) return markup`<p class="hint">The sandbox has not kept this ${mediaType}.</p>`
  const description = markupIf(altText, (text) => markup`<figcaption class="hint">Alt text: ${text}</figcaption>`)
  const shown = {
    image: markup`<img src="${url}" alt="${altText ?? ''}">`,
    video: markup`<video src="${url}" controls preload="metadata" aria-label="${altText ?? 'Video'}"></video>`,
    document: markup`<a href="${url}">Open the document</a>`,
  }
  return markup`<figure>${shown[mediaType]}${description}</figure>`
}

/** The comments that reply to one, or to the post. */
function list(to: string | undefined, comments: readonly LedgerComment[]): Html {
  const isHere = (id: string | undefined) => comments.some((comment) => comment.id === id)
  // What they reply to may be gone.
  const replies = comments.filter(({ inReplyTo }) => (isHere(inReplyTo) ? inReplyTo : undefined) === to)
  if (replies.length === 0) return NOTHING
  const items = replies.map(({ id, author, writtenBy, text, createdAt }) => {
    const own = writtenBy === 'account' ? 'Author · ' : ''
    return markup`<li><p><b>${author}</b> <span class="hint">${own}${time(createdAt)}</span></p>
<p class="text">${text}</p>${list(id, comments)}</li>
`
  })
  return markup`<ul>${items}</ul>`
}

function markupIf(text: string | undefined, shown: (text: string) => Html): Html {
  return text === undefined ? NOTHING : shown(text)
}

function nameOf({ account, post }: ShownPost): string {
  return account?.label ?? post.accountId
}

function textIn({ details }: LedgerPost, name: string): string | undefined {
  const value = details?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function time(at: string): Html {
  return markup`<time datetime="${at}">${dateTime.format(new Date(at))} UTC</time>`
}
