import * as z from 'zod'
import { jsonSchemaOf, type JsonSchema } from '../http/json-schema.ts'
import { EXAMPLE } from './examples.ts'
import { json, pointing } from './openapi-operation.ts'

/** An event that webhooks receive. */
export interface AnyEvent {
  readonly summary: string
  readonly data: z.ZodType
}

/** The request that a receiver gets, and the named schemas that it references. */
export function webhookOf(
  name: string,
  { summary, data }: AnyEvent,
): { readonly operation: JsonSchema; readonly named: Readonly<Record<string, JsonSchema>> } {
  const body = jsonSchemaOf(
    z.object({
      id: z.string().meta({ examples: [EXAMPLE.event] }),
      event: z.literal(name),
      createdAt: z.iso.datetime().meta({ examples: [EXAMPLE.at] }),
      data,
    }),
    'output',
  )
  return {
    operation: {
      summary,
      tags: ['Webhooks'],
      requestBody: { required: true, content: json(body) },
      responses: { '2XX': { description: 'It arrived. Any other response is a failure, and it is sent again.' } },
      // Signed instead: see the headers in docs/webhooks.md.
      security: [],
    },
    named: pointing(body.named),
  }
}
