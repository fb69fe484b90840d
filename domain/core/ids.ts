import { parse, v5 } from 'uuid'

/** Namespace of every id that Fanfare derives. Changing it would make repeated work look new. */
const NAMESPACE = parse('8d0a3f52-6f0b-4c1e-9c55-5a3de1b0c7a4')
const UTF_8 = new TextEncoder()
/** Crockford's base 32, as ULIDs are written. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A UUID that depends on nothing but its parts, so that doing something twice names it the same (RFC 9562 §5.5).
 * Parts are joined unambiguously.
 */
export function derivedId(...parts: readonly (string | number)[]): string {
  return v5(UTF_8.encode(JSON.stringify(parts)), NAMESPACE)
}

/** The same in the form of a ULID, for the id of a resource. It is not sortable by time. */
export function derivedUlid(...parts: readonly (string | number)[]): string {
  const bytes = v5(UTF_8.encode(JSON.stringify(parts)), NAMESPACE, new Uint8Array(16))
  let digits = ''
  // 26 digits hold two bits more than there are.
  let [rest, bits] = [0, 2]
  for (const byte of bytes) {
    rest = (rest << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) digits += DIGITS[(rest >> (bits - 5)) & 31]
    rest &= 31
  }
  return digits
}
