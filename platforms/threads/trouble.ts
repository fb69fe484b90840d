import type { ContainerMeaning } from '../meta/container.ts'
import type { GraphFault } from '../meta/fault.ts'
import { GRAPH_CODES, GRAPH_SUBCODES, troubleBy, type Troubles } from '../meta/trouble.ts'

/** What can go wrong, by Threads' error codes. */
export type Trouble = keyof typeof MEANINGS

const HOUR_MS = 3_600_000

const MEANINGS = {
  token: {
    hidden: 'needs-reauth',
    visible: 'needs-reauth',
    says: 'Threads no longer accepts the access token. Connect the account again',
    again: 0,
  },
  permission: {
    hidden: 'forbidden',
    visible: 'forbidden',
    says: 'The access token lacks a permission. Connect the account again with all permissions',
    again: 0,
  },
  'rate limit': {
    hidden: 'retryable',
    visible: 'retryable',
    says: "Threads' rate limit was reached",
    waitMs: HOUR_MS,
    accountRests: true,
    again: 0,
  },
  /** Per rolling day: a slot frees up at any time, and certainly within four such waits. */
  quota: {
    hidden: 'retryable',
    visible: 'retryable',
    says: 'The account has published as many posts as Threads allows in a day',
    waitMs: 6 * HOUR_MS,
    accountRests: true,
    again: 0,
  },
  /** Per rolling day too. Posts have their own quota. */
  'reply quota': {
    hidden: 'retryable',
    visible: 'retryable',
    says: 'The account has sent as many replies as Threads allows in a day',
    waitMs: HOUR_MS,
    again: 0,
  },
  /** May occur even though the post is live. */
  spam: { hidden: 'permanent', visible: 'ambiguous', says: 'Threads flagged this as spam', again: 0 },
  restricted: {
    hidden: 'permanent',
    visible: 'permanent',
    says: 'Threads has restricted the profile. Its owner must resolve this in the Threads app',
    again: 0,
  },
  blocked: {
    hidden: 'permanent',
    visible: 'permanent',
    says: 'Threads has blocked this under its policies',
    again: 0,
  },
  refused: { hidden: 'permanent', visible: 'permanent', says: 'Threads refused the request', again: 0 },
  unfetchable: {
    hidden: 'permanent',
    visible: 'ambiguous',
    says: 'Threads could not fetch the media from its URL',
    again: 1,
  },
  unacceptable: {
    hidden: 'permanent',
    visible: 'ambiguous',
    says: 'Threads cannot use the media',
    again: 0,
  },
  /** Often only for some seconds, right after the container is finished. Publishing the same one again is harmless. */
  gone: {
    hidden: 'permanent',
    visible: 'retryable',
    says: 'Threads could not find the prepared post',
    waitMs: 5_000,
    again: 2,
  },
  /** The supposed container is a published post: only that has no status. */
  'has no status': { hidden: 'permanent', visible: 'ambiguous', says: 'Threads has already published this', again: 0 },
  failed: { hidden: 'retryable', visible: 'ambiguous', says: 'Threads failed', again: 1 },
  /** Says nothing about whether the object exists. */
  unreadable: {
    hidden: 'retryable',
    visible: 'ambiguous',
    says: 'Threads did not return the requested data',
    again: 2,
  },
} as const satisfies Readonly<Record<string, ContainerMeaning>>

/** Codes that arrive as a subcode in some responses, and as the code itself in others. */
const OWN: Troubles<Trouble> = {
  2207051: 'spam',
  2207052: 'unfetchable',
  4279009: 'gone',
  4279013: 'restricted',
}
const SUBCODES: Troubles<Trouble> = { ...GRAPH_SUBCODES, ...OWN }
const CODES: Troubles<Trouble> = { ...GRAPH_CODES, ...OWN, 24: 'gone' }

/** @returns `undefined` for an unknown fault */
export function troubleOf(fault: GraphFault): Trouble | undefined {
  if (/nonexisting field \(status\)/i.test(fault.message)) return 'has no status'
  return troubleBy(fault, CODES, SUBCODES) ?? (fault.status === 429 ? 'rate limit' : undefined)
}

/** Maps the error word of a failed container. `UNKNOWN`, and any new word, counts as a failure of Threads. */
export function troubleIn(word: string): Trouble {
  if (word.startsWith('FAILED_DOWNLOADING_')) return 'unfetchable'
  return /^(?:INVALID|FAILED_PROCESSING)_/.test(word) ? 'unacceptable' : 'failed'
}

export function meaningOf(trouble: Trouble): ContainerMeaning {
  return MEANINGS[trouble]
}
