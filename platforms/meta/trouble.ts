import type { PlatformErrorKind } from '../kit/platform.ts'
import type { GraphFault } from './fault.ts'

/** What can go wrong with any Meta call; each platform adds its own. */
export type GraphTrouble = 'token' | 'permission' | 'rate limit' | 'blocked' | 'refused' | 'failed' | 'unreadable'

export interface Meaning {
  /** Error kinds of a hidden and of a visible call. */
  readonly hidden: PlatformErrorKind
  readonly visible: PlatformErrorKind
  readonly says: string
  /** Milliseconds to wait if Meta does not say. */
  readonly waitMs?: number
  readonly accountRests?: true
}

export type Troubles<Trouble extends string> = Readonly<Record<number, Trouble>>

/** Codes that mean the same on all platforms of Meta. */
export const GRAPH_CODES: Troubles<GraphTrouble> = {
  1: 'failed',
  2: 'failed',
  4: 'rate limit',
  10: 'permission',
  17: 'rate limit',
  32: 'rate limit',
  100: 'refused',
  102: 'token',
  190: 'token',
  368: 'blocked',
  613: 'rate limit',
}

export const GRAPH_SUBCODES: Troubles<GraphTrouble> = {
  33: 'unreadable',
  458: 'token',
  459: 'token',
  460: 'token',
  463: 'token',
  467: 'token',
}

/** @returns undefined for an unknown fault */
export function troubleBy<Trouble extends string>(
  { code, subcode }: GraphFault,
  codes: Troubles<Trouble>,
  subcodes: Troubles<Trouble>,
): Trouble | 'permission' | undefined {
  if (code >= 200 && code <= 299) return 'permission'
  return (subcode === undefined ? undefined : subcodes[subcode]) ?? codes[code]
}
