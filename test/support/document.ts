import { openApiDocument } from '../../api/openapi/openapi.ts'
import { routeTable } from '../../api/v1/routes.ts'
import { EVENTS } from '../../api/v1/webhooks/event-schemas.ts'
import type { Services } from '../../api/kit/services.ts'
import { checkedAnswer } from './api-answer.ts'

/** The document that every server publishes, but for its own address: made of routes that nobody calls. */
export const publishedDocument = openApiDocument(routeTable({} as Services), EVENTS, undefined)

/** Holds answers against it. */
export const conformance = checkedAnswer(publishedDocument)

/** `fetch`, of a server in a process of its own, with every answer below `/v1` held against the document. */
export async function checkedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init)
  const { pathname, search } = new URL(url)
  if (!pathname.startsWith('/v1/')) return response
  const { status, headers } = response
  const payload = await response.text()
  const answer = { statusCode: status, headers: Object.fromEntries(headers), payload }
  conformance({ method: init.method ?? 'GET', path: pathname + search }, answer)
  return new Response(payload === '' ? null : payload, { status, headers })
}
