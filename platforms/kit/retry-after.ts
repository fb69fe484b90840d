/**
 * Parses a `Retry-After` header, in seconds or as a date (RFC 9110 §10.2.3).
 *
 * @param now milliseconds since the epoch
 * @returns milliseconds to wait, or `undefined` when the header is missing or unreadable
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
