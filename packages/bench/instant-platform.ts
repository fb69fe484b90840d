import * as z from 'zod'
import { PlatformError, type Platform } from '../../platforms/kit/platform.ts'

/** Publishes instantly without doing anything, so that only the service's own work is measured. */
export const instantPlatform: Platform = {
  key: 'bluesky',
  proof: { image: 'idempotent-key', video: 'idempotent-key' },
  visibleWithinMs: 0,
  takes: {},
  credentials: z.object({}),
  logins: [],
  connect: async () => {
    throw new PlatformError('permanent', 'This platform does not connect accounts.')
  },
  check: () => [],
  measure: ({ text: { length } }) => ({ length, most: 300 }),
  prepare: async ({ key }) => ({ outcome: 'ready', handle: { rkey: key } }),
  publish: async ({ key }) => ({ outcome: 'published', published: { postId: key } }),
}
