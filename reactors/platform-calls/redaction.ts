import type { Http, HttpRequest } from '../../infra/http/http.ts'
import type { Credentials, CredentialStore } from '../../platforms/kit/platform.ts'
import { hiding } from '../../infra/runtime/secrets.ts'

/** Names under which secrets are stored and sent. */
const SECRET_NAME = /token|secret|password|jwt|signature|proof|verifier|assertion|api_?key|^code$/i
/** Longer bodies hold media and texts. */
const LONGEST_BODY = 20_000

/**
 * Secrets used in one piece of work. A platform may echo them in an error, and its messages are stored and shown, so they are
 * redacted.
 */
export interface Redaction {
  http(http: Http): Http
  credentials(store: CredentialStore): CredentialStore
  /** Redacts the secrets in an error, its stack and its causes. */
  hideIn(error: unknown): void
}

export function redaction(): Redaction {
  const secrets = new Set<string>()
  const note = (pairs: Iterable<readonly [string, string]>): void => {
    for (const [name, value] of pairs) if (SECRET_NAME.test(name)) secrets.add(value)
  }
  const noteCall = (url: string, { headers = {}, body }: HttpRequest = {}): void => {
    for (const [name, value] of Object.entries(headers)) {
      if (name.toLowerCase() === 'authorization') secrets.add(value.replace(/^\w+\s+/, ''))
    }
    if (URL.canParse(url)) note(new URL(url).searchParams)
    if (typeof body === 'string' && body.length <= LONGEST_BODY) note(fieldsOf(body))
  }
  const kept = (credentials: Credentials): Credentials => {
    note(Object.entries(credentials))
    return credentials
  }
  return {
    http: (http) => ({
      request: (url, request) => {
        noteCall(url, request)
        return http.request(url, request)
      },
      stream: (url, request) => {
        noteCall(url, request)
        return http.stream(url, request)
      },
      close: () => http.close(),
    }),
    credentials: (store) => ({
      read: async () => kept(await store.read()),
      renew: async (stale, renew) =>
        kept(await store.renew(stale, async (current) => kept(await renew(kept(current))))),
    }),
    hideIn: (error) => {
      const hide = hiding(secrets)
      const met = new Set<unknown>()
      for (let found = error; found instanceof Error && !met.has(found); found = found.cause) {
        met.add(found)
        // Define, not assign: the message of what an AbortSignal throws is read-only.
        for (const field of ['message', 'stack'] as const) {
          const value = hide(found[field] ?? '')
          Object.defineProperty(found, field, { value, configurable: true, writable: true })
        }
      }
    },
  }
}

/** The fields of a form or a JSON object. */
function fieldsOf(body: string): Iterable<readonly [string, string]> {
  if (!body.startsWith('{')) return new URLSearchParams(body)
  try {
    const fields = Object.entries(JSON.parse(body) as object)
    return fields.filter((field): field is [string, string] => typeof field[1] === 'string')
  } catch {
    return []
  }
}
