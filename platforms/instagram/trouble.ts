import type { ContainerMeaning } from '../meta/container.ts'
import type { GraphFault } from '../meta/fault.ts'
import { GRAPH_CODES, GRAPH_SUBCODES, troubleBy, type Troubles } from '../meta/trouble.ts'

/** What can go wrong, by Instagram's error codes. */
export type Trouble = keyof typeof MEANINGS

const HOUR_MS = 3_600_000

const MEANINGS = {
  token: {
    hidden: 'needs-reauth',
    visible: 'needs-reauth',
    says: 'Instagram no longer accepts the access token. Connect the account again',
    again: 0,
  },
  permission: {
    hidden: 'forbidden',
    visible: 'forbidden',
    says: 'The access token lacks a permission. Connect the account again with all permissions',
    again: 0,
  },
  'not professional': {
    hidden: 'forbidden',
    visible: 'forbidden',
    says: 'The account is no longer an Instagram business or creator account',
    again: 0,
  },
  'rate limit': {
    hidden: 'retryable',
    visible: 'retryable',
    says: "Instagram's rate limit was reached",
    waitMs: HOUR_MS,
    accountRests: true,
    again: 0,
  },
  /** Per rolling day: a slot frees up at any time, and certainly within four such waits. */
  quota: {
    hidden: 'retryable',
    visible: 'retryable',
    says: 'The account has published as many posts as Instagram allows in a day',
    waitMs: 6 * HOUR_MS,
    accountRests: true,
    again: 0,
  },
  /** Seen even though the post was live. */
  spam: {
    hidden: 'permanent',
    visible: 'ambiguous',
    says: 'Instagram flagged this as spam',
    again: 0,
  },
  restricted: {
    hidden: 'permanent',
    visible: 'permanent',
    says: 'Instagram has restricted the account. Its owner must resolve this in the Instagram app',
    again: 0,
  },
  blocked: {
    hidden: 'permanent',
    visible: 'permanent',
    says: 'Instagram has blocked this under its policies',
    again: 0,
  },
  refused: { hidden: 'permanent', visible: 'permanent', says: 'Instagram refused the request', again: 0 },
  unfetchable: {
    hidden: 'permanent',
    visible: 'ambiguous',
    says: 'Instagram could not fetch the media from its URL',
    again: 1,
  },
  'failed processing': {
    hidden: 'permanent',
    visible: 'ambiguous',
    says: 'Instagram could not process the media',
    again: 1,
  },
  'slow download': {
    hidden: 'retryable',
    visible: 'ambiguous',
    says: 'Instagram could not fetch the media fast enough',
    again: 3,
  },
  'not ready': {
    hidden: 'retryable',
    visible: 'retryable',
    says: 'Instagram is still processing the media',
    waitMs: 30_000,
    again: 0,
  },
  gone: {
    hidden: 'retryable',
    visible: 'retryable',
    says: 'Instagram no longer has the prepared media',
    waitMs: 60_000,
    again: 3,
  },
  failed: { hidden: 'retryable', visible: 'ambiguous', says: 'Instagram failed', again: 3 },
  /** Says nothing about whether the object exists: Instagram answered so in an outage, while posts went live. */
  unreadable: {
    hidden: 'retryable',
    visible: 'ambiguous',
    says: 'Instagram did not return the requested data',
    again: 0,
  },
  /** The comment was created, but Instagram refused to return it. */
  'made, not shown': {
    hidden: 'permanent',
    visible: 'ambiguous',
    says: 'Instagram refused to return the result',
    again: 0,
  },
} as const satisfies Readonly<Record<string, ContainerMeaning>>

const SUBCODES: Troubles<Trouble> = {
  ...GRAPH_SUBCODES,
  1772107: 'made, not shown',
  2207001: 'failed',
  2207003: 'slow download',
  2207004: 'refused',
  2207005: 'refused',
  2207006: 'gone',
  2207008: 'gone',
  2207009: 'refused',
  2207010: 'refused',
  2207020: 'gone',
  2207023: 'refused',
  2207026: 'refused',
  2207027: 'not ready',
  2207032: 'failed',
  2207040: 'refused',
  2207042: 'quota',
  2207050: 'restricted',
  2207051: 'spam',
  2207052: 'unfetchable',
  2207053: 'failed',
  2207057: 'refused',
  2207077: 'failed processing',
  2207082: 'failed processing',
  2207085: 'failed processing',
}

const CODES: Troubles<Trouble> = {
  ...GRAPH_CODES,
  [-2]: 'slow download',
  [-1]: 'failed',
  3: 'permission',
  9: 'quota',
  24: 'gone',
  25: 'restricted',
  352: 'refused',
  9004: 'unfetchable',
  9007: 'not ready',
  36000: 'refused',
  36001: 'refused',
  36003: 'refused',
  36004: 'refused',
  80002: 'rate limit',
}

/** @returns `undefined` for an unknown fault */
export function troubleOf(fault: GraphFault): Trouble | undefined {
  if (/not an Instagram Business/i.test(fault.message)) return 'not professional'
  return troubleBy(fault, CODES, SUBCODES)
}

/** The trouble for the subcode in the status text of a failed container. */
export function troubleIn(prose: string): Trouble | undefined {
  const subcode = /\b2207\d{3}\b/.exec(prose)?.[0]
  return subcode === undefined ? undefined : SUBCODES[Number(subcode)]
}

export function meaningOf(trouble: Trouble): ContainerMeaning {
  return MEANINGS[trouble]
}
