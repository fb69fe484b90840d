import type { Metadata } from '../../domain/core/event.ts'
import { randomIds } from '../../infra/runtime/ids.ts'
import { systemClock } from '../../infra/runtime/clock.ts'

export const ids = randomIds(systemClock.now)

/** The body of every request and the content of every event: a post with a 300-byte caption to one account. */
export function postTo(accountId: string) {
  return {
    mediaUrl: 'https://media.example.com/2026/11/a-picture-of-a-harbour.jpg',
    mediaType: 'image',
    selections: { bluesky: [accountId] },
    caption: 'A caption of three hundred bytes. '.repeat(9).slice(0, 300),
    hashtags: ['harbour', 'morning'],
  } as const
}

export function postQueued(workspaceId: string, accountId: string) {
  return { workspaceId, origin: 'api', captionOverrides: {}, ...postTo(accountId) } as const
}

export function metadata(): Metadata {
  const commandId = crypto.randomUUID()
  return {
    at: new Date().toISOString(),
    actor: { kind: 'api-key', id: 'key_01JD0000000000000000000000' },
    correlationId: commandId,
    causationId: commandId,
    requestId: `req_${commandId}`,
  }
}
