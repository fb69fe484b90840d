import type { Http, HttpRequest, HttpResponse } from '../../../infra/http/http.ts'
import { jsonOf } from '../../../platforms/kit/rest.ts'

/** One call to a platform, by its form alone: names and types of fields, no values. */
export interface RecordedCall {
  /** Method and path; ids in the path are `{id}`. */
  readonly call: string
  /** Names of the query's parameters. */
  readonly query: readonly string[]
  /** Fields of a JSON or form body, as `formOf`. */
  readonly sent: readonly string[]
  readonly status: number
  /** Fields of a JSON answer, as `formOf`. */
  readonly answer: readonly string[]
  /** Names of the headers that tell about limits and versions. */
  readonly headers: readonly string[]
}

/** Other headers depend on what stands in front of the platform. */
const TELLING = /limit|remaining|usage|retry-after|version|deprecat|warning|restli/
/** Such parts of a path differ from account to account. */
const ID = /^(?=.*\d)[\w.~%:-]{5,}$|^(?:did|urn)(?::|%3A)/i
const LONGEST_BODY = 200_000

/**
 * Records the form of every call.
 *
 * @param base stripped from the addresses, so that calls to different hosts are comparable
 */
export function recording(http: Http, base: string | undefined, calls: RecordedCall[]): Http {
  const noted = (url: string, request: HttpRequest | undefined, answer: Pick<HttpResponse, 'status' | 'headers'>) => ({
    call: `${request?.method ?? 'GET'} ${pathOf(url, base)}`,
    query: [...new Set(new URL(url).searchParams.keys())].toSorted(),
    sent: formSent(request?.body),
    status: answer.status,
    headers: Object.keys(answer.headers)
      .filter((name) => TELLING.test(name))
      .toSorted(),
  })
  return {
    request: async (url, request) => {
      const response = await http.request(url, request)
      calls.push({ ...noted(url, request, response), answer: formOf(jsonOf(response)) })
      return response
    },
    stream: async (url, request) => {
      const response = await http.stream(url, request)
      calls.push({ ...noted(url, request, response), answer: [] })
      return response
    },
    close: () => http.close(),
  }
}

/** Every field of a value with its type, such as `data[].id: string`, sorted. Items of a list count as one. */
export function formOf(value: unknown, at = ''): readonly string[] {
  const found = new Set<string>()
  const visit = (each: unknown, path: string): void => {
    if (Array.isArray(each)) {
      for (const item of each) visit(item, `${path}[]`)
      if (each.length === 0) found.add(`${path}[]: empty`)
    } else if (typeof each === 'object' && each !== null) {
      for (const [name, inner] of Object.entries(each))
        visit(inner, path === '' ? nameOf(name) : `${path}.${nameOf(name)}`)
    } else if (each !== undefined) found.add(`${path}: ${each === null ? 'null' : typeof each}`)
  }
  visit(value, at)
  return [...found].toSorted()
}

/** A key may be an id, too: `{"17841400000000000": {...}}`. */
function nameOf(key: string): string {
  return ID.test(key) ? '{id}' : key
}

function formSent(body: HttpRequest['body']): readonly string[] {
  if (typeof body !== 'string' || body.length > LONGEST_BODY) return []
  try {
    return formOf(JSON.parse(body))
  } catch {
    return [...new Set(new URLSearchParams(body).keys())].map((name) => `${name}: form`).toSorted()
  }
}

function pathOf(url: string, base: string | undefined): string {
  const path = base !== undefined && url.startsWith(base) ? url.slice(base.length).split('?')[0] : new URL(url).pathname
  return (path ?? '')
    .split('/')
    .map((part) => (ID.test(part) ? '{id}' : part))
    .join('/')
}
