import * as z from 'zod'

/**
 * An id returned by a platform. Allows the characters that all their ids consist of, and none with a meaning in a path, query
 * or link. Looser than the platforms' documentation, so that a new id format still passes.
 */
export const plainId = z.string().regex(/^[\w-][\w.~-]{0,127}$/)
