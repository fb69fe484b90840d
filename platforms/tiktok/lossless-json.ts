import { HttpFailure, type HttpResponse } from '../../infra/http/http.ts'

/** Matches JSON strings and numbers. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** An integer of 16 or more digits may exceed the safe integer range. */
const LONG_INTEGER = /^-?\d{16,}$/

/** Parses long integers as text: TikTok's ids have 64 bits, and some come as bare numbers. */
export function withLongIds(response: HttpResponse): HttpResponse {
  const json = (): unknown => {
    try {
      return JSON.parse(response.text().replace(TOKENS, (token) => (LONG_INTEGER.test(token) ? `"${token}"` : token)))
    } catch (error) {
      throw new HttpFailure('malformed', 'the response is not JSON', true, { cause: error })
    }
  }
  const { status, headers, body } = response
  return { status, headers, body, text: () => response.text(), json }
}
