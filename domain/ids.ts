import { parse, v5 } from 'uuid'

/** Namespace of every id that Fanfare derives. Changing it would make repeated work look new. */
const NAMESPACE = '8d0a3f52-6f0b-4c1e-9c55-5a3de1b0c7a4'
/** Crockford's base 32, as ULIDs are written. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A UUID that depends on nothing but its parts, so that doing something twice names it the same (RFC 9562 §5.5).
 * Parts are joined unambiguously.
 */
export function derivedId(...parts: readonly (string | number)[]): string {
  return v5(JSON.stringify(parts), NAMESPACE)
}

/** The same in the form of a ULID, for the id of a resource. It is not sortable by time. */
export function derivedUlid(...parts: readonly (string | number)[]): string {
  let rest = parse(derivedId(...parts)).reduce((number, byte) => number * 256n + BigInt(byte), 0n)
  let digits = ''
  for (let digit = 0; digit < 26; digit += 1) {
    digits = (DIGITS[Number(rest % 32n)] ?? '') + digits
    rest /= 32n
  }
  return digits
}
