import { z } from 'zod'
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
  readonly isPaged: boolean
  readonly body: JsonSchema | undefined
}

const content = z.object({ 'application/json': z.object({ schema: jsonSchema }) })
const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        parameters: z.array(z.object({ name: z.string(), in: z.string() })),
        requestBody: z.object({ content }).optional(),
        responses: z.record(z.string(), z.unknown()),
      }),
    ),
  ),
})

export async function operationsOf({ call }: Server): Promise<readonly Operation[]> {
  const { paths } = documentSchema.parse((await call({ path: '/v1/openapi.json' })).body)
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      status: Number(Object.keys(responses).find((status) => status.startsWith('2'))),
      parameters: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      isPaged: parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'cursor'),
      body: requestBody?.content['application/json'].schema,
    })),
  )
}
