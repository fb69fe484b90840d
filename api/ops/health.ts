import type { FastifyInstance } from 'fastify'
import { otherMethods } from '../http/methods.ts'

/** What readiness depends on; each check gives figures worth showing, or throws with a text that says what is wrong. */
export type HealthChecks = Readonly<Record<string, () => Promise<Readonly<Record<string, number>>>>>

/** `/healthz`: the process is alive. `/readyz`: it can do its work; 503 names what it lacks. */
export function healthRoutes(app: FastifyInstance, checks: HealthChecks): void {
  // Nobody needs a key to ask, and each look costs the database some queries: who asks meanwhile is told the same.
  let looking: ReturnType<typeof looked> | undefined
  const look = () => (looking ??= looked(checks).finally(() => (looking = undefined)))

  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const results = await look()
    const ready = results.every(([, { ok }]) => ok)
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'not ready', checks: Object.fromEntries(results) })
  })
  for (const path of ['/healthz', '/readyz']) otherMethods(app, path, ['GET'])
}

function looked(checks: HealthChecks) {
  return Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        return [name, { ok: true, ...(await check()) }] as const
      } catch (error) {
        return [name, { ok: false, error: error instanceof Error ? error.message : String(error) }] as const
      }
    }),
  )
}
