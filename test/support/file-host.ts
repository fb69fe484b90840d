import fastify from 'fastify'
import type { Test } from 'tap'

/** A server with these files, whatever they are called. */
export async function hostOf(t: Test, files: Readonly<Record<string, Buffer>>): Promise<(name: string) => string> {
  const app = fastify()
  app.get<{ Params: { name: string } }>('/:name', async ({ params }, reply) =>
    reply.type('application/octet-stream').send(files[params.name]),
  )
  const url = await app.listen()
  t.teardown(() => app.close())
  return (name) => `${url}/${name}`
}
