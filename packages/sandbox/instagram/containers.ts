import type { FastifyInstance } from 'fastify'
import { openContainers, type Containers } from '../meta/containers.ts'
import { amount, directive, uses } from '../meta/script.ts'
import type { StandInDeps } from '../stand-in.ts'
import { faultOf } from './download.ts'
import { CONTAINER, newId } from './ids.ts'
import { newContainer, refusedWith } from './new-container.ts'

export interface InstagramContainers extends Containers {
  /**
   * @returns its id
   * @throws StandInRefusal
   */
  create(accountId: string, given: object): string
}

export function instagramContainers(app: FastifyInstance, deps: StandInDeps): InstagramContainers {
  const all = openContainers(app, 'instagram', faultOf, deps)
  const isInUse = uses()
  const scripted = (mediaUrl: string, name: 'create' | 'error'): string | undefined => {
    const [subcode, times] = directive(mediaUrl, name) ?? []
    return subcode !== undefined && isInUse(mediaUrl, name, times) ? subcode : undefined
  }
  return {
    ...all,
    create: (accountId, given) => {
      const content = newContainer(given, (children, text) => all.carousel(children, accountId, text))
      const { mediaUrl } = content
      const refused = scripted(mediaUrl, 'create')
      if (refused !== undefined) throw refusedWith(refused)
      const id = newId(CONTAINER, deps.ids)
      const looksNeeded = amount(mediaUrl, 'processing')
      all.add({ ...content, id, accountId, looksNeeded, fault: scripted(mediaUrl, 'error') })
      return id
    },
  }
}
