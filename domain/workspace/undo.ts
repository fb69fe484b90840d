import * as z from 'zod'

const RANGE = { error: 'must be 0 to 600 seconds' }

/** How long (s) somebody can take back a post that would be published at once. */
export const undoSeconds = z.int(RANGE).min(0, RANGE).max(600, RANGE)
