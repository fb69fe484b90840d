import { HttpFailure, type HttpResponse } from '../../infra/http/http.ts'

/** A string, or a number. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** From 16 digits on an integer may be too long for a number to be exact. */
const LONG_INTEGER = /^-?\d{16,}$/

/** The answer, its long integers read as text: TikTok's ids have 64 bits, and some come as bare numbers. */
export function withLongIds(response: HttpResponse): HttpResponse {
  const json = (): unknown => {
    try {
      return JSON.parse(response.text().replace(TOKENS, (token) => (LONG_INTEGER.test(token) ? `"${token}"` : token)))
    } catch (error) {
      throw new HttpFailure('malformed', 'the answer is not JSON', true, { cause: error })
    }
  }
  const { status, headers, body } = response
  return { status, headers, body, text: () => response.text(), json }
}
