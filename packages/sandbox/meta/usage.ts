import type { FastifyInstance } from 'fastify'
import type { Answer } from '../answer.ts'
import type { FaultScript } from '../faults.ts'
import { graphError, type Wrong } from './refusal.ts'

/** Adds the app's usage to every answer: never near its limit. */
export function reportUsage(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-app-usage', JSON.stringify({ call_count: 1, total_time: 1, total_cputime: 1 }))
  })
}

/** The answer beyond an account's limit, with a header that says when to call again. */
export function overLimit(accountId: string, type: string, { retryAfterSeconds }: FaultScript, wrong: Wrong): Answer {
  const minutes = Math.ceil(retryAfterSeconds / 60)
  const usage = [{ type, call_count: 100, total_time: 30, estimated_time_to_regain_access: minutes }]
  const headers = { 'x-business-use-case-usage': JSON.stringify({ [accountId]: usage }) }
  return { ...graphError(wrong), headers }
}
