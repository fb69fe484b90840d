import type { FastifyInstance } from 'fastify'
import type { StandInDeps } from '../stand-in.ts'
import { namedRefusal } from './refusal.ts'

/** Refuses the API's calls beyond what an app with Trial access has per UTC day. Counts are lost on restart. */
export function limitTrial(app: FastifyInstance, callsADay: number, { ledger, clock }: StandInDeps): void {
  let today = ''
  let calls = 0
  app.addHook('onRequest', async ({ url }) => {
    if (ledger.isReviewed('pinterest') || !url.includes('/v5/')) return
    const day = new Date(clock.now()).toISOString().slice(0, 10)
    calls = day === today ? calls + 1 : 1
    today = day
    if (calls > callsADay) throw namedRefusal('8')
  })
}
