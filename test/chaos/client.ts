import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../../infra/runtime/clock.ts'
import type { Exchange } from './evidence.ts'
import { field } from './rules/rule.ts'

export interface Request {
  readonly body?: object
  /** Its `Idempotency-Key`. */
  readonly key?: string
}

export interface Client {
  /** Everything that was asked, in the order of the answers; of what was read well only the status that was shown. */
  readonly history: readonly Exchange[]
  /** Asks once. */
  ask(method: string, path: string, request?: Request): Promise<Exchange>
  /**
   * Asks again and again until there is an answer that is not the server's failure.
   *
   * @param request a function is asked for each try
   * @param until takes an answer
   */
  insist(
    method: string,
    path: string,
    request?: Request | (() => Request),
    until?: (answer: Exchange) => boolean,
  ): Promise<Exchange>
}

/** Less than the API's own time-out: clients are impatient. */
const PATIENCE_MS = 10_000
const AGAIN_AFTER_MS = 200
/** Nothing that is put right in the end takes as long. */
const GIVEN_UP_AFTER_MS = 300_000

/** A caller who writes down whatever he asks and hears. */
export function client(port: number, apiKey: string): Client {
  const history: Exchange[] = []
  const ask = async (method: string, path: string, { body, key }: Request = {}): Promise<Exchange> => {
    const asked = { method, path, ...(key !== undefined && { key }), sent: systemClock.now() }
    const heard = await answerTo(`http://127.0.0.1:${port}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const exchange = { ...asked, returned: systemClock.now(), ...heard }
    history.push(remembered(exchange))
    return exchange
  }
  const isAnswer = ({ status }: Exchange) => status !== undefined && status < 500
  return {
    history,
    ask,
    insist: async (method, path, request, until = isAnswer) => {
      const deadline = systemClock.now() + GIVEN_UP_AFTER_MS
      for (;;) {
        const answer = await ask(method, path, typeof request === 'function' ? request() : request)
        if (until(answer) || systemClock.now() > deadline) return answer
        await wait(AGAIN_AFTER_MS)
      }
    },
  }
}

/** Lists are long and many: an hour of them would not be held in memory. */
function remembered(exchange: Exchange): Exchange {
  const { method, status = 0, body } = exchange
  const isRead = method === 'GET' && status >= 200 && status <= 299
  return isRead ? { ...exchange, body: { status: field(body, 'status') } } : exchange
}

async function answerTo(url: string, init: RequestInit): Promise<Pick<Exchange, 'status' | 'body' | 'replayed'>> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
    const text = await response.text()
    const replayed = response.headers.get('idempotent-replayed') === 'true'
    return { status: response.status, body: jsonOf(text), ...(replayed && { replayed }) }
  } catch {
    return {}
  }
}

/** The text itself, where it is no JSON. */
function jsonOf(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
