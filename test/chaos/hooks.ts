import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { systemClock } from '../../infra/runtime/clock.ts'
import { fickle, givenWatched, ok, type Answer, type Watched } from '../support/hostile-receivers.ts'
import type { Client } from './client.ts'
import type { Teardown } from './estate.ts'
import type { Hook } from './evidence.ts'

/** A webhook and its receiver, before it is known what came of its deliveries. */
export type OpenHook = Omit<Hook, 'deliveries' | 'attempts'> & { readonly receiver: Watched }

const slowly: Answer = (response) => void wait(150).then(() => response.destroyed || ok(response, 1))

const CONDUCTS: readonly {
  readonly answer: Answer
  readonly ends: Hook['ends']
  readonly events: readonly string[]
}[] = [
  { answer: ok, ends: 'delivered', events: ['post.published', 'post.failed', 'comment.received', 'reply.sent'] },
  { answer: slowly, ends: 'delivered', events: ['post.published', 'post.failed'] },
  // A receiver gets its events again one at a time: a long list would take hours.
  {
    answer: (response, nth) => (nth <= 3 ? fickle : ok)(response, nth),
    ends: 'delivered',
    events: ['comment.received'],
  },
  { answer: fickle, ends: 'failed', events: ['reply.sent'] },
]

/** Webhooks with receivers that answer at once, slowly, badly at first, and never well. */
export async function givenHooks(t: Teardown, client: Client): Promise<readonly OpenHook[]> {
  const hooks: OpenHook[] = []
  for (const [nth, { answer, ends, events }] of CONDUCTS.entries()) {
    const receiver = await givenWatched(t, systemClock.now, answer)
    const { body } = await client.insist('POST', '/webhooks', {
      body: { url: receiver.url, events },
      key: `hook ${nth}`,
    })
    const { id, secret } = z.object({ id: z.string(), secret: z.string() }).parse(body)
    hooks.push({ id, secret, events, ends, receiver })
  }
  return hooks
}
