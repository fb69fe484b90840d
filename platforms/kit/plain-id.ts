import { z } from 'zod'

/**
 * An id that a platform gives: what all of theirs are made of, and nothing that would mean something in a path, a query or a
 * link. Looser than each platform's documents, so that a new form of theirs loses nothing.
 */
export const plainId = z.string().regex(/^[\w-][\w.~-]{0,127}$/)
