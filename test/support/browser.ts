import type { FastifyInstance } from 'fastify'

/** What a browser does between the service and a platform: keeps cookies, follows links, submits forms. */
export interface Browser {
  /** A page of the service, by its path or its whole URL. */
  visit(url: string): Promise<Page>
  /** Submits a form of the service. */
  submit(path: string, fields: Fields): Promise<Page>
}

/** Pairs, where a field is repeated. */
type Fields = Readonly<Record<string, string>> | [string, string][]

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

/** The form of the page that precedes the platform's consent, with everything checked but what is `declined`. */
export function allowForm({ body }: Pick<Page, 'body'>, declined: readonly string[] = []) {
  const action = /<form method="post" action="([^"]+)"/.exec(body)?.[1] ?? ''
  const ticket = /name="ticket" value="([^"]*)"/.exec(body)?.[1] ?? ''
  const boxes = [...body.matchAll(/<input type="checkbox" name="(\w+)" (checked(?: disabled)?)/g)]
  const sent = boxes.filter(([, name = '', state]) => state === 'checked' && !declined.includes(name))
  return { action, fields: { ticket, ...Object.fromEntries(sent.map(([, name]) => [name, 'on'])) } }
}

/** Opens the page that precedes the platform's consent, and goes on. @returns the URL of the platform's page */
export async function consentUrlAt(browser: Browser, url: string, declined?: readonly string[]): Promise<string> {
  const { action, fields } = allowForm(await browser.visit(url), declined)
  return linkOn(await browser.submit(action, fields))
}

/**
 * The owner's answer on the sandbox's page of consent.
 *
 * @param declined single scopes that are not granted, where the platform lets the owner decline them
 * @returns where the browser is sent back to
 */
export async function consent(
  consentUrl: string,
  account: string,
  decision: 'allow' | 'deny',
  declined: readonly string[] = [],
): Promise<string> {
  const page = await fetch(consentUrl, { redirect: 'manual' })
  if (page.status !== 200) return page.headers.get('location') ?? `${page.status} ${await page.text()}`
  const boxes = [...(await page.text()).matchAll(/type="checkbox" name="([^"]+)"/g)].map(([, scope = '']) => scope)
  const granted = boxes.filter((scope) => !declined.includes(scope)).map((scope) => [scope, 'on'])
  const single = boxes.length > 0 && { single: 'on', ...Object.fromEntries(granted) }
  const answer = await fetch(consentUrl, {
    method: 'POST',
    body: new URLSearchParams({ account, decision, ...single }),
    redirect: 'manual',
  })
  return answer.headers.get('location') ?? `${answer.status} ${await answer.text()}`
}
