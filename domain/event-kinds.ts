import { account } from './account.ts'
import { apiKey } from './api-key.ts'
import type { EventSchemas } from './event.ts'
import { post } from './post.ts'
import { workspace } from './workspace.ts'

/** Every kind of stream there is, by category. */
export const streamKinds = {
  [workspace.category]: workspace.events,
  [apiKey.category]: apiKey.events,
  [account.category]: account.events,
  [post.category]: post.events,
} as const satisfies Record<string, EventSchemas>

export const CATEGORIES: readonly string[] = Object.keys(streamKinds)
