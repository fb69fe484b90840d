import { fastify } from 'fastify'
import { queuePostBody } from '../../api/v1/posts/post-schemas.ts'
import { given, runAsChild } from './child.ts'
import { ids } from './post.ts'
import { poolOf16 } from './server.ts'

/* The minimum that can accept a post: Fastify, the same zod schema, one insert in its own transaction. */

const pool = poolOf16(given('DATABASE_URL'))
await pool.query('create table posts (id text primary key, content json not null, created_at timestamptz not null)')
const text = 'insert into posts (id, content, created_at) values ($1, $2, now())'

const app = fastify()
app.post('/v1/posts', async (request, reply) => {
  const body = queuePostBody.safeParse(request.body)
  if (!body.success) return reply.code(400).send({ error: body.error.message })
  const id = `post_${ids.ulid()}`
  await pool.query({ name: 'insert', text, values: [id, JSON.stringify(body.data)] })
  return reply.code(202).send({ runId: id, id, queued: true })
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })
await runAsChild({ url: `${address}/v1/posts`, key: 'none' })
await app.close()
await pool.end()
