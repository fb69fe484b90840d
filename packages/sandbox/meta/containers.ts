import type { FastifyInstance } from 'fastify'
import type { PlatformKey } from '../../../domain/core/platform.ts'
import type { LedgerItem } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { keptContainers, type Container } from './kept-container.ts'

const LIFETIME_MS = 86_400_000
/** Looks for which Meta usually processes each kind of post. */
const USUAL_LOOKS: Readonly<Record<Container['mediaType'], number>> = { image: 1, video: 2, text: 1 }

/** What it holds. */
export type Held = Pick<Container, 'mediaUrl' | 'mediaType' | 'text' | 'altText' | 'isItem' | 'children' | 'details'>
export type NewContainer = Held &
  Pick<Container, 'id' | 'accountId'> & {
    /** Looks at which it is in progress. Default: as usual for its media. */
    readonly looksNeeded?: number | undefined
    /** Fails the container with this error, whatever its media. */
    readonly fault?: string | undefined
  }

export type Status =
  | { readonly code: 'IN_PROGRESS' | 'FINISHED' | 'EXPIRED' | 'PUBLISHED' }
  | { readonly code: 'ERROR'; readonly fault: string }

/** Fetches media and returns what is wrong with them, if anything. Never throws. */
export type FaultOf = (
  held: Pick<Held, 'mediaUrl' | 'details'> & { readonly mediaType: Exclude<Container['mediaType'], 'text'> },
  closing: AbortSignal,
) => Promise<string | undefined>

export interface Containers {
  add(container: NewContainer): void
  /** Finds a container of this account. */
  find(id: string, accountId: string): Container | undefined
  /** Whether it exists, for any account. */
  isKnown(id: string): boolean
  /** Waits for the download, so that the number of looks is deterministic. */
  look(container: Container): Promise<Status>
  /**
   * What a carousel of these containers holds.
   *
   * @returns undefined if one is not a finished item of the account
   */
  carousel(children: string, accountId: string, text: string): Held | undefined
  /** What a post made of it shows. */
  itemsOf(container: Container): LedgerItem[]
  /** As of the last look. */
  status(container: Container): Status
}

/** The containers of all accounts. Containers and their progress survive a restart; an interrupted download starts over. */
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

  const downloaded = async ({ id, mediaType, ...held }: NewContainer): Promise<string | undefined> => {
    if (mediaType === 'text') return undefined
    const download = downloads.get(id) ?? faultOf({ ...held, mediaType }, closing.signal)
    downloads.set(id, download)
    return download
  }
  const statusOf = ({ id, accountId, createdAt, looks, looksNeeded, fault }: Container): Status => {
    if (ledger.posts(platform, { accountId, token: id }).length > 0) return { code: 'PUBLISHED' }
    if (clock.now() >= createdAt + LIFETIME_MS) return { code: 'EXPIRED' }
    if (looks <= looksNeeded) return { code: 'IN_PROGRESS' }
    return fault === undefined ? { code: 'FINISHED' } : { code: 'ERROR', fault }
  }
  /** @returns the container unchanged when the sandbox closes meanwhile */
  const fetched = async (container: Container): Promise<Container> => {
    const fault = container.isFetched ? container.fault : await downloaded(container)
    const current = kept.read(container.id) ?? container
    if (current.isFetched || closing.signal.aborted) return current
    downloads.delete(container.id)
    return { ...current, isFetched: true, ...(fault !== undefined && { fault }) }
  }

  return {
    add: ({ looksNeeded, fault, ...given }) => {
      // Those of its items were.
      const isFetched = fault !== undefined || given.children !== undefined
      const progress = { looks: 0, looksNeeded: looksNeeded ?? USUAL_LOOKS[given.mediaType], isFetched }
      kept.save({ ...given, ...progress, createdAt: clock.now(), ...(fault !== undefined && { fault }) })
      if (!isFetched) void downloaded(given)
    },
    find: (id, accountId) => {
      const container = kept.read(id)
      return container?.accountId === accountId ? container : undefined
    },
    carousel: (given, accountId, text) => {
      const children = given.split(',')
      const items = children.map((id) => kept.read(id))
      const isUsable = items.every(
        (item) => item?.isItem && item.accountId === accountId && statusOf(item).code === 'FINISHED',
      )
      const [first] = items
      if (!first || !isUsable) return undefined
      const { mediaUrl, mediaType, details } = first
      return { mediaUrl, mediaType, text, children, ...(details && { details }) }
    },
    itemsOf: (container) =>
      (container.children ?? [container.id])
        .flatMap((id) => kept.read(id) ?? [])
        .flatMap(({ mediaUrl, mediaType, altText }) =>
          mediaType === 'text' ? [] : [{ mediaUrl, mediaType, ...(altText !== undefined && { altText }) }],
        ),
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
