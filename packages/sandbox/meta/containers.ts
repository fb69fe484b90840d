import type { FastifyInstance } from 'fastify'
import type { MediaType, PlatformKey } from '../../../domain/core/platform.ts'
import type { StandInDeps } from '../stand-in.ts'
import { keptContainers, type Container } from './kept-container.ts'

const LIFETIME_MS = 86_400_000
/** For how many looks Meta is usually at work on each kind of media. */
const USUAL_LOOKS: Readonly<Record<MediaType, number>> = { image: 1, video: 2 }

export type NewContainer = Pick<Container, 'id' | 'accountId' | 'mediaUrl' | 'mediaType' | 'text'> & {
  /** Looks at which it is in progress. Default: as usual. */
  readonly looksNeeded?: number | undefined
  /** What is wrong with its media, whatever they are. */
  readonly fault?: string | undefined
}

export type Status =
  | { readonly code: 'IN_PROGRESS' | 'FINISHED' | 'EXPIRED' | 'PUBLISHED' }
  | { readonly code: 'ERROR'; readonly fault: string }

/** Fetches media, and says what is wrong with them. Never fails. */
export type FaultOf = (mediaUrl: string, mediaType: MediaType, closing: AbortSignal) => Promise<string | undefined>

export interface Containers {
  add(container: NewContainer): void
  /** One of the account's. */
  find(id: string, accountId: string): Container | undefined
  /** Whether it is anybody's. */
  isKnown(id: string): boolean
  /** Waits for its download, so that the number of looks does not depend on how fast that is. */
  look(container: Container): Promise<Status>
  /** As of the last look. */
  status(container: Container): Status
}

/**
 * The containers of all accounts. They and how far they are outlive a restart, but for a download that was under way: that
 * is made again.
 */
export function openContainers(
  app: FastifyInstance,
  platform: PlatformKey,
  faultOf: FaultOf,
  deps: StandInDeps,
): Containers {
  const { ledger, clock } = deps
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const kept = keptContainers(platform, deps)
  const downloads = new Map<string, Promise<string | undefined>>()

  const downloaded = ({ id, mediaUrl, mediaType }: NewContainer): Promise<string | undefined> => {
    const download = downloads.get(id) ?? faultOf(mediaUrl, mediaType, closing.signal)
    downloads.set(id, download)
    return download
  }
  const statusOf = ({ id, accountId, createdAt, looks, looksNeeded, fault }: Container): Status => {
    if (ledger.posts(platform, { accountId, token: id }).length > 0) return { code: 'PUBLISHED' }
    if (clock.now() >= createdAt + LIFETIME_MS) return { code: 'EXPIRED' }
    if (looks <= looksNeeded) return { code: 'IN_PROGRESS' }
    return fault === undefined ? { code: 'FINISHED' } : { code: 'ERROR', fault }
  }
  /** @returns it as far as it was before, when the sandbox closes meanwhile */
  const fetched = async (container: Container): Promise<Container> => {
    const fault = container.isFetched ? container.fault : await downloaded(container)
    const current = kept.read(container.id) ?? container
    if (current.isFetched || closing.signal.aborted) return current
    downloads.delete(container.id)
    return { ...current, isFetched: true, ...(fault !== undefined && { fault }) }
  }

  return {
    add: ({ looksNeeded, fault, ...given }) => {
      const isFetched = fault !== undefined
      const progress = { looks: 0, looksNeeded: looksNeeded ?? USUAL_LOOKS[given.mediaType], isFetched }
      kept.save({ ...given, ...progress, createdAt: clock.now(), ...(isFetched && { fault }) })
      if (!isFetched) void downloaded(given)
    },
    find: (id, accountId) => {
      const container = kept.read(id)
      return container?.accountId === accountId ? container : undefined
    },
    isKnown: (id) => kept.read(id) !== undefined,
    look: async (given) => {
      const container = await fetched(given)
      if (closing.signal.aborted || container.looks > container.looksNeeded) return statusOf(container)
      const seen = { ...container, looks: container.looks + 1 }
      kept.save(seen)
      return statusOf(seen)
    },
    status: statusOf,
  }
}
