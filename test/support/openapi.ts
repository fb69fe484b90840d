import * as z from 'zod'
import type { Server } from './api.ts'
import { jsonSchema, type JsonSchema } from './json-schema.ts'

/** One operation of the published document. */
export interface Operation {
  readonly name: string
  readonly method: string
  /** Below `/v1`, parameters in braces. */
  readonly path: string
  readonly status: number
  readonly parameters: readonly string[]
  /** What has to be in the query. */
  readonly required: readonly string[]
  readonly isPaged: boolean
  readonly body: JsonSchema | undefined
  /** The schema of what success answers, or what the document has in its place. */
  readonly answer: unknown
}

const content = z.object({ 'application/json': z.object({ schema: jsonSchema }) })
const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional() })),
        requestBody: z.object({ content }).optional(),
        responses: z.record(z.string(), z.unknown()),
      }),
    ),
  ),
})

/** What is made comes first, what is deleted last, so that each can succeed with what those before it have left. */
const ORDER = ['POST', 'GET', 'POST {id}', 'PATCH {id}', 'DELETE {id}']
const rank = ({ method, path }: Operation) => {
  const ofOne = path.includes('{') && method !== 'GET' ? `${method} {id}` : method
  return ORDER.indexOf(ofOne)
}

export async function operationsOf({ call }: Server): Promise<readonly Operation[]> {
  const { paths } = documentSchema.parse((await call({ path: '/v1/openapi.json' })).body)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      status: Number(Object.keys(responses).find((status) => status.startsWith('2'))),
      parameters: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      required: parameters.filter((it) => it.in === 'query' && it.required).map(({ name }) => name),
      isPaged: parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'cursor'),
      answer: Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1],
      body: requestBody?.content['application/json'].schema,
    })),
  )
  return operations.toSorted((a, b) => rank(a) - rank(b))
}
