import type { FastifyInstance } from 'fastify'
import { otherMethods } from '../http/methods.ts'

/** What readiness depends on. Each check returns figures to show, or throws an error whose message says what is wrong. */
export type HealthChecks = Readonly<Record<string, () => Promise<Readonly<Record<string, number>>>>>

/** `/healthz`: the process is alive. `/readyz`: it can do its work; a 503 names what is missing. */
export function healthRoutes(app: FastifyInstance, checks: HealthChecks): void {
  // No key is required, and each check costs some database queries, so concurrent requests share one result.
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
