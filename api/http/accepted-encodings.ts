/** The codings that an `Accept-Encoding` names, except those refused with `q=0` (RFC 9110 §12.5.3). */
export function acceptedEncodings(header: string | string[] | undefined): readonly string[] {
  return String(header ?? '')
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => !/;\s*q=0(\.0*)?$/.test(one))
    .map((one) => (one.split(';')[0] ?? '').trim())
}
