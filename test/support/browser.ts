import type { FastifyInstance } from 'fastify'

/** What a browser does between the service and a platform: keeps cookies, follows links, submits forms. */
export interface Browser {
  /** A page of the service, by its path or its whole URL. */
  visit(url: string): Promise<Page>
  /** Submits a form of the service. */
  submit(path: string, fields: Readonly<Record<string, string>>): Promise<Page>
}

export interface Page {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

export function givenBrowser(app: FastifyInstance): Browser {
  const jar = new Map<string, string>()
  const send = async (method: 'GET' | 'POST', url: string, payload?: string): Promise<Page> => {
    const { pathname, search } = new URL(url, 'https://fanfare.test')
    const answer = await app.inject({
      method,
      url: pathname + search,
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(payload !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(payload !== undefined && { payload }),
    })
    for (const { name, value } of answer.cookies) jar.set(name, value)
    return { status: answer.statusCode, headers: answer.headers, body: answer.body }
  }
  return {
    visit: (url) => send('GET', url),
    submit: (path, fields) => send('POST', path, new URLSearchParams(fields).toString()),
  }
}

/** Where the link that leads to the platform goes. */
export function linkOn({ body }: Pick<Page, 'body'>): string {
  const [, href = ''] = /<a [^>]*href="([^"]+)"/.exec(body) ?? []
  return href.replaceAll('&amp;', '&')
}

/** The owner's answer on the sandbox's page of consent; returns where the browser is sent back to. */
export async function consent(consentUrl: string, account: string, decision: 'allow' | 'deny'): Promise<string> {
  const page = await fetch(consentUrl, { redirect: 'manual' })
  if (page.status !== 200) return page.headers.get('location') ?? `${page.status} ${await page.text()}`
  await page.text()
  const answer = await fetch(consentUrl, {
    method: 'POST',
    body: new URLSearchParams({ account, decision }),
    redirect: 'manual',
  })
  return answer.headers.get('location') ?? `${answer.status} ${await answer.text()}`
}
