import type { GraphFault } from '../meta/fault.ts'
import {
  GRAPH_CODES,
  GRAPH_SUBCODES,
  troubleBy,
  type GraphTrouble,
  type Meaning,
  type Troubles,
} from '../meta/trouble.ts'

type OwnTrouble =
  'not a Page token' | 'authorization' | 'security check' | 'too fast' | 'duplicate' | 'bad media' | 'unfetchable'
/** What can go wrong, by Facebook's error codes. */
export type FacebookTrouble = GraphTrouble | OwnTrouble

const HOUR_MS = 3_600_000

const MEANINGS: Readonly<Record<FacebookTrouble, Meaning>> = {
  token: {
    hidden: 'needs-reauth',
    visible: 'needs-reauth',
    says: 'Facebook no longer accepts the access token. Connect the account again',
  },
  'not a Page token': {
    hidden: 'needs-reauth',
    visible: 'needs-reauth',
    says: "The access token is a person's. Connect the account again with the access token of the Page",
  },
  permission: {
    hidden: 'forbidden',
    visible: 'forbidden',
    says: 'The access token lacks a permission, or its owner lacks a task on the Page. Grant it, then connect the account again',
  },
  authorization: {
    hidden: 'permanent',
    visible: 'permanent',
    says: "The person who connected the Page must first complete Facebook's Page publishing authorization",
  },
  'security check': {
    hidden: 'permanent',
    visible: 'permanent',
    says: 'The person who connected the Page must first confirm their identity on Facebook',
  },
  'rate limit': {
    hidden: 'retryable',
    visible: 'retryable',
    says: "Facebook's rate limit was reached",
    waitMs: HOUR_MS,
    accountRests: true,
  },
  'too fast': {
    hidden: 'retryable',
    visible: 'retryable',
    says: 'The Page publishes faster than Facebook allows',
    waitMs: HOUR_MS,
    accountRests: true,
  },
  blocked: {
    hidden: 'permanent',
    visible: 'permanent',
    says: 'Facebook has blocked this, or restricted the account, under its policies',
  },
  /** May be the very post whose response was lost. */
  duplicate: { hidden: 'permanent', visible: 'ambiguous', says: 'Facebook says that the same content was just posted' },
  refused: { hidden: 'permanent', visible: 'permanent', says: 'Facebook refused the request' },
  'bad media': { hidden: 'permanent', visible: 'permanent', says: 'Facebook does not accept the media' },
  unfetchable: {
    hidden: 'permanent',
    visible: 'ambiguous',
    says: 'Facebook could not fetch the media from its URL, or could not use it',
  },
  /** Seen even though every post was live. */
  failed: { hidden: 'retryable', visible: 'ambiguous', says: 'Facebook failed' },
  unreadable: { hidden: 'retryable', visible: 'ambiguous', says: 'Facebook did not return the requested data' },
}

const CODES: Troubles<FacebookTrouble> = {
  ...GRAPH_CODES,
  3: 'permission',
  324: 'unfetchable',
  341: 'rate limit',
  351: 'bad media',
  352: 'bad media',
  382: 'bad media',
  389: 'unfetchable',
  506: 'duplicate',
  6000: 'unfetchable',
  6001: 'unfetchable',
  80001: 'rate limit',
}

/** Some also arrive as codes. */
const SUBCODES: Troubles<FacebookTrouble> = {
  ...GRAPH_SUBCODES,
  464: 'token',
  492: 'token',
  1346003: 'blocked',
  1349125: 'refused',
  1363030: 'failed',
  1363040: 'bad media',
  1363047: 'failed',
  1363127: 'bad media',
  1363128: 'bad media',
  1363129: 'bad media',
  1366046: 'bad media',
  1366051: 'duplicate',
  1390008: 'too fast',
  1404006: 'security check',
  1404078: 'authorization',
  1404102: 'blocked',
  1404112: 'blocked',
  1609005: 'refused',
  1609008: 'refused',
  1609010: 'failed',
  2061006: 'refused',
  2069019: 'unfetchable',
  2069032: 'not a Page token',
  4854002: 'security check',
}

/** @returns undefined for an unknown fault */
export function troubleOf(fault: GraphFault): FacebookTrouble | undefined {
  // Whatever the code: a permission that is missing only for lack of an authorization needs no other token.
  const bySubcode = fault.subcode === undefined ? undefined : SUBCODES[fault.subcode]
  const trouble = bySubcode ?? SUBCODES[fault.code] ?? troubleBy(fault, CODES, SUBCODES)
  if (trouble === undefined || trouble === 'refused') {
    if (fault.transient) return 'failed'
    if (fault.status === 404) return 'unreadable'
  }
  return trouble
}

export function meaningOf(trouble: FacebookTrouble): Meaning {
  return MEANINGS[trouble]
}

/** The trouble for a video's error code; undefined if it is unknown. */
export function troubleOfVideo(code: number): FacebookTrouble | undefined {
  return SUBCODES[code] ?? CODES[code]
}
