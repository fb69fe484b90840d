import { HttpFailure, type Http, type HttpRequest, type HttpResponse } from '../http/http.ts'
import { GenerationError } from './generation-error.ts'
import { wordsIn } from './provider-words.ts'

/** Where a sandbox is, and the client to reach it with. */
export interface SandboxPlace {
  readonly http: Http
  /** Without a trailing slash. */
  readonly url: string
}

/** Sends a request that starts something. @throws GenerationError; what the client throws when the signal aborts */
export async function beginAt(
  { http, url }: SandboxPlace,
  path: string,
  body: object,
  limits: Pick<HttpRequest, 'signal' | 'timeoutMs' | 'maxBytes'>,
): Promise<HttpResponse> {
  const headers = { 'content-type': 'application/json' }
  const request: HttpRequest = { method: 'POST', headers, body: JSON.stringify(body), ...limits }
  const answer = await answerOf(() => http.request(`${url}${path}`, request), limits.signal, unanswered)
  if (answer.status < 300) return answer
  throw new GenerationError(kindOf(answer.status), messageIn(answer))
}

/** The answer to a look, whatever its status. @throws GenerationError `retryable`; as `beginAt` */
export function lookAt(
  { http, url }: SandboxPlace,
  path: string,
  limits: Pick<HttpRequest, 'signal' | 'timeoutMs'>,
): Promise<HttpResponse> {
  return answerOf(
    () => http.request(`${url}${path}`, limits),
    limits.signal,
    () => 'retryable',
  )
}

/** A sentence about a non-success answer. */
export function messageIn(answer: HttpResponse): string {
  const words = wordsIn(answer)
  return `The sandbox responded with status ${answer.status}${words === undefined ? '.' : `: ${words}`}`
}

async function answerOf(
  ask: () => Promise<HttpResponse>,
  signal: AbortSignal | undefined,
  kindOf: (failure: HttpFailure) => GenerationError['kind'],
): Promise<HttpResponse> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof HttpFailure) || signal?.aborted) throw error
    throw new GenerationError(kindOf(error), `The sandbox did not respond: ${error.message}`, { cause: error })
  }
}

function unanswered({ kind, mayHaveArrived }: HttpFailure): GenerationError['kind'] {
  if (mayHaveArrived) return 'ambiguous'
  return kind === 'blocked' || kind === 'bad-url' ? 'permanent' : 'retryable'
}

function kindOf(status: number): GenerationError['kind'] {
  if (status === 429 || status === 503) return 'retryable'
  return status >= 500 ? 'ambiguous' : 'permanent'
}
