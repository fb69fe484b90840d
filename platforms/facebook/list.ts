import type { Session } from '../meta/graph.ts'
import { listOf as listBy, type Edge } from '../meta/list.ts'
import { graphTime } from '../meta/time.ts'
import type { RestIo } from '../kit/rest.ts'
import { api } from './api.ts'

/** Maximum clock skew. */
const SKEW_MS = 60_000

/** As `listOf` of all Meta platforms. */
export function listOf<Item>(edge: Edge<Item>, session: Session, io: RestIo): Promise<readonly Item[] | undefined> {
  return listBy(api, edge, session, io)
}

/** Whether something was certainly created before `from` (ms since the epoch, our clock). */
export function isBefore(createdTime: string, from: number): boolean {
  return isPast(graphTime(createdTime), from)
}

/** The same. @param createdAt ms since the epoch, Facebook's clock */
export function isPast(createdAt: number, from: number): boolean {
  return createdAt < Math.floor((from - SKEW_MS) / 1000) * 1000
}
