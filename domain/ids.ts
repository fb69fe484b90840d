import { v5 } from 'uuid'

/** Namespace of every id that Fanfare derives. Changing it would make repeated work look new. */
const NAMESPACE = '8d0a3f52-6f0b-4c1e-9c55-5a3de1b0c7a4'

/**
 * A UUID that depends on nothing but its parts, so that doing something twice names it the same (RFC 9562 §5.5).
 * Parts are joined unambiguously.
 */
export function derivedId(...parts: readonly (string | number)[]): string {
  return v5(JSON.stringify(parts), NAMESPACE)
}
