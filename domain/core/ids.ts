import { parse, v5 } from 'uuid'

/** Namespace of every derived id. Changing it would make repeated work look new. */
const NAMESPACE = parse('8d0a3f52-6f0b-4c1e-9c55-5a3de1b0c7a4')
const UTF_8 = new TextEncoder()
/** Crockford's base 32, the ULID alphabet. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A UUID that depends only on its parts, so that doing something twice gives the same id (RFC 9562 §5.5). Parts are joined
 * unambiguously.
 */
export function derivedId(...parts: readonly (string | number)[]): string {
  return v5(UTF_8.encode(JSON.stringify(parts)), NAMESPACE)
}

/** As `derivedId`, in ULID form, for resource ids. Not sortable by time. */
export function derivedUlid(...parts: readonly (string | number)[]): string {
  const bytes = v5(UTF_8.encode(JSON.stringify(parts)), NAMESPACE, new Uint8Array(16))
  let digits = ''
  // 26 digits hold two bits more than 16 bytes.
  let [rest, bits] = [0, 2]
  for (const byte of bytes) {
    rest = (rest << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) digits += DIGITS[(rest >> (bits - 5)) & 31]
    rest &= 31
  }
  return digits
}
