import fastify from 'fastify'
import type { Test } from 'tap'

/**
 * A server with these files, whatever they are called.
 *
 * @param types content types that it gives. Default: `application/octet-stream`
 */
export async function hostOf(
  t: Test,
  files: Readonly<Record<string, Buffer>>,
  types: Readonly<Record<string, string>> = {},
): Promise<(name: string) => string> {
  const app = fastify()
  app.get<{ Params: { name: string } }>('/:name', async ({ params: { name } }, reply) =>
    reply.type(types[name] ?? 'application/octet-stream').send(files[name]),
  )
  const url = await app.listen()
  t.teardown(() => app.close())
  return (name) => `${url}/${name}`
}
