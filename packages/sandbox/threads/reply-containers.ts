import type { LedgerComment } from '../ledger.ts'
import type { Status } from '../meta/containers.ts'
import type { StandInDeps } from '../stand-in.ts'
import { newId } from './ids.ts'
import { noSuchMedia } from './unknown.ts'

const LIFETIME_MS = 86_400_000
/** Looks for which Threads processes a text. */
const LOOKS = 1

export interface ReplyContainer {
  readonly id: string
  readonly accountId: string
  readonly text: string
  readonly to: LedgerComment
  readonly createdAt: number
  looks: number
  isPublished: boolean
}

export interface ReplyContainers {
  /** @returns its id */
  add(container: Pick<ReplyContainer, 'accountId' | 'text' | 'to'>): string
  find(id: string, accountId: string): ReplyContainer | undefined
  look(container: ReplyContainer): Status
  /** @throws StandInRefusal when it is not finished */
  mustBeFinished(container: ReplyContainer): void
}

/** Containers of replies. They are lost with the process; the caller creates another one. */
export function replyContainers({ ids, clock }: StandInDeps): ReplyContainers {
  const all = new Map<string, ReplyContainer>()
  const status = ({ isPublished, createdAt, looks }: ReplyContainer): Status => {
    if (isPublished) return { code: 'PUBLISHED' }
    if (clock.now() >= createdAt + LIFETIME_MS) return { code: 'EXPIRED' }
    return { code: looks > LOOKS ? 'FINISHED' : 'IN_PROGRESS' }
  }
  return {
    add: (given) => {
      const id = newId(ids)
      all.set(id, { ...given, id, createdAt: clock.now(), looks: 0, isPublished: false })
      return id
    },
    find: (id, accountId) => {
      const container = all.get(id)
      return container?.accountId === accountId ? container : undefined
    },
    look: (container) => {
      container.looks += 1
      return status(container)
    },
    mustBeFinished: (container) => {
      const { code } = status(container)
      if (code !== 'FINISHED' && code !== 'PUBLISHED') throw noSuchMedia()
    },
  }
}
