import { componentsOf } from './openapi-components.ts'
import { operationOf } from './openapi-operation.ts'
import { webhookOf, type AnyEvent } from './openapi-webhook.ts'
import { TAGS } from './openapi-tags.ts'
import type { AnyRoute } from '../http/route.ts'

/** Version of the contract (api-spec §9). */
export const API_VERSION = '1.1.0'

const DESCRIPTION = `Publishes and schedules social content and replies to comments on connected accounts.

- **Key**: send \`Authorization: Bearer <API_KEY>\`. Each operation names the scope that the key needs.
- **Errors**: always \`{"error": {"code", "message", "requestId"}}\`. Branch on \`error.code\`. For an invalid
  request, \`error.details\` lists every problem. Unknown fields are ignored; \`warnings\` in the response names them.
- **Lists** return a page and \`nextCursor\`. Pass it as \`cursor\` for the next page; null means the last page.
- **Idempotency-Key**, where listed: a repeat within 24 hours returns the first response; nothing is done twice.
- **Background work**: posts, videos and replies are queued. Poll them by id, or register a webhook.`

/** The OpenAPI 3.1 document of the route table, and of the events that webhooks receive, by name. */
export function openApiDocument(
  routes: readonly AnyRoute[],
  events: Readonly<Record<string, AnyEvent>>,
  publicUrl: string | undefined,
): Readonly<Record<string, unknown>> {
  const operations = routes.map((route) => ({ route, ...operationOf(route) }))
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { route, operation } of operations) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation }
  }
  const webhooks = Object.entries(events).map(([name, event]) => ({ name, ...webhookOf(name, event) }))
  const base = publicUrl?.replace(/\/$/, '') ?? ''
  const used = new Set(routes.map(({ tag }) => tag))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fanfare',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${base}/v1`, description: base === '' ? 'The service that serves this document.' : 'Fanfare' }],
    security: [{ apiKey: [] }],
    tags: TAGS.filter(({ name }) => used.has(name)),
    paths,
    webhooks: Object.fromEntries(webhooks.map(({ name, operation }) => [name, { post: operation }])),
    components: componentsOf([...operations, ...webhooks].map(({ named }) => named)),
  }
}
