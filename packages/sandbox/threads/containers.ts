import type { FastifyInstance } from 'fastify'
import type { LedgerAccount } from '../ledger.ts'
import { openContainers, type Containers, type NewContainer, type Status } from '../meta/containers.ts'
import type { Container } from '../meta/kept-container.ts'
import { amount, directive, uses } from '../meta/script.ts'
import type { StandInDeps } from '../stand-in.ts'
import { faultOf } from './download.ts'
import { newId } from './ids.ts'
import { noSuchMedia } from './unknown.ts'

export interface ThreadsContainers {
  /** @returns its id */
  add(container: Omit<NewContainer, 'id' | 'looksNeeded' | 'fault'>): string
  /**
   * @param children ids, separated by commas
   * @returns its id
   * @throws StandInRefusal when one is not a finished item of the account
   */
  addCarousel(account: LedgerAccount, children: string, more: Pick<NewContainer, 'text' | 'details'>): string
  itemsOf: Containers['itemsOf']
  /**
   * Looks at a container, which advances it.
   *
   * @throws StandInRefusal when the account has no such container
   */
  look(account: LedgerAccount, id: string): Promise<Status>
  /**
   * A container that is about to be published.
   *
   * @throws StandInRefusal when it is unknown or not finished
   */
  finished(account: LedgerAccount, id: string): Container
}

/**
 * Directives in the media's URL:
 * - `?sandbox=processing:5`: finished at the sixth look;
 * - `?sandbox=error:UNKNOWN`: every container of this URL fails with this error; `error:UNKNOWN:1`: only the first one;
 * - `?sandbox=late-to-publish:3`: the first three calls that publish it do not find it;
 * - `?sandbox=vanishes:1`: the first container of this URL becomes unknown once it was finished;
 * - `?sandbox=unreadable-after`: a published container cannot be read;
 * - `?sandbox=listed-after:10`: the post is listed 10 s after it was published.
 */
export function threadsContainers(app: FastifyInstance, deps: StandInDeps): ThreadsContainers {
  const all = openContainers(app, 'threads', faultOf, deps)
  const isInUse = uses()
  /** Whether each vanishing container was found finished. */
  const vanishing = new Map<string, boolean>()
  /** For late containers: the number of publish calls that did not find them. */
  const publishCalls = new Map<string, number>()
  const ownOf = ({ externalId }: LedgerAccount, id: string): Container => {
    const container = all.find(id, externalId)
    if (container) return container
    throw noSuchMedia()
  }

  return {
    add: (given) => {
      const id = newId(deps.ids)
      const { mediaUrl } = given
      const [word, times] = directive(mediaUrl, 'error') ?? []
      const fault = word !== undefined && isInUse(mediaUrl, 'error', times) ? word : undefined
      const [most] = directive(mediaUrl, 'vanishes') ?? []
      if (most !== undefined && isInUse(mediaUrl, 'vanishes', most)) vanishing.set(id, false)
      all.add({ ...given, id, looksNeeded: amount(mediaUrl, 'processing'), fault })
      return id
    },
    addCarousel: ({ externalId: accountId }, children, more) => {
      const held = all.carousel(children, accountId, more.text)
      if (!held) throw noSuchMedia()
      const id = newId(deps.ids)
      all.add({ ...held, ...more, id, accountId })
      return id
    },
    itemsOf: all.itemsOf,
    look: async (account, id) => {
      const container = ownOf(account, id)
      if (vanishing.get(id)) throw noSuchMedia()
      const status = await all.look(container)
      if (status.code === 'PUBLISHED' && directive(container.mediaUrl, 'unreadable-after')) throw noSuchMedia()
      if (status.code === 'FINISHED' && vanishing.has(id)) vanishing.set(id, true)
      return status
    },
    finished: (account, id) => {
      const container = ownOf(account, id)
      const late = amount(container.mediaUrl, 'late-to-publish') ?? 0
      const before = publishCalls.get(id) ?? 0
      if (before < late) {
        publishCalls.set(id, before + 1)
        throw noSuchMedia()
      }
      const { code } = all.status(container)
      if (container.isItem) throw noSuchMedia()
      if (code !== 'FINISHED' && code !== 'PUBLISHED') throw noSuchMedia()
      return container
    },
  }
}
