import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

const STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}
a.go,button{display:inline-block;padding:.6rem 1.2rem;border:0;border-radius:.4rem;background:#1a1a1a;color:#fff;font:inherit;text-decoration:none;cursor:pointer}
label{display:block;margin:.8rem 0;padding-left:1.6rem;text-indent:-1.6rem}
label input{width:1rem;margin:0 .3rem 0 0}
@media(prefers-color-scheme:dark){a.go,button{background:#eee;color:#111}}`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Text that is already HTML. */
export interface Html {
  readonly html: string
}

/** Must not be reformatted: whitespace around the style would change its hash. */
const STYLE_ELEMENT: Html = { html: `<style>${STYLE}</style>` }

/** HTML with interpolated values escaped, unless they are already HTML. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const put = (value: string | Html | readonly Html[]): string => {
    if (typeof value === 'string') return escaped(value)
    return 'html' in value ? value.html : value.map((part) => part.html).join('')
  }
  return { html: parts.reduce((all, part, index) => all + put(values[index - 1] ?? '') + part) }
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** A page that runs no scripts, cannot be framed, is not cached, and sends no referrer. */
export function pageOf(title: string, body: Html): { readonly headers: Record<string, string>; readonly html: string } {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`
  return {
    headers: {
      'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
    },
    html: page.html,
  }
}

export function answerPage(reply: FastifyReply, status: number, title: string, body: Html): FastifyReply {
  const { headers, html: page } = pageOf(title, body)
  return reply.code(status).headers(headers).send(page)
}
