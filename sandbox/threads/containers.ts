import type { MediaType } from '../../domain/platform.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { download } from './download.ts'
import { digits } from './ids.ts'
import { noSuchMedia } from './refusal.ts'
import { mediaScript, type MediaScript } from './script.ts'

const LIFE_MS = 86_400_000
const USUAL_LOOKS: Readonly<Record<MediaType, number>> = { image: 1, video: 2 }

export interface Container {
  readonly id: string
  readonly accountId: string
  readonly mediaType: MediaType
  readonly mediaUrl: string
  readonly text: string
  readonly script: MediaScript
}

interface Kept extends Container {
  readonly createdAt: number
  /** The word it fails with, told once the media was fetched. */
  readonly error: Promise<string | undefined>
  readonly vanishes: boolean
  looks: number
  publishCalls: number
}

export interface Status {
  readonly status: 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED'
  readonly error_message?: string
}

export interface Containers {
  add(container: Omit<Container, 'id' | 'script'>): string
  /** One look at it. @throws ThreadsRefusal when there is no such container of this account */
  look(account: LedgerAccount, id: string): Promise<Status>
  /** The container, about to be published. @throws ThreadsRefusal when it is not known, or not finished */
  finished(account: LedgerAccount, id: string): Promise<Container>
}

/** Those not published are lost with the process; that one was published the ledger tells, by the post's token. */
export function containers(deps: StandInDeps): Containers {
  const kept = new Map<string, Kept>()
  const perUrl = new Map<string, number>()

  const isPublished = ({ externalId }: LedgerAccount, id: string): boolean =>
    deps.ledger.posts('threads', { accountId: externalId, token: id }).length > 0
  const ownOf = (account: LedgerAccount, id: string): Kept => {
    const container = kept.get(id)
    if (container?.accountId === account.externalId) return container
    throw noSuchMedia()
  }
  const statusOf = async (container: Kept, published: boolean): Promise<Status> => {
    if (published) return { status: 'PUBLISHED' }
    const error = await container.error
    if (error !== undefined) return { status: 'ERROR', error_message: error }
    if (container.createdAt + LIFE_MS <= deps.clock.now()) return { status: 'EXPIRED' }
    const looks = container.script.looks ?? USUAL_LOOKS[container.mediaType]
    return { status: container.looks > looks ? 'FINISHED' : 'IN_PROGRESS' }
  }

  return {
    add: (given) => {
      const id = digits(deps.ids)
      const script = mediaScript(given.mediaUrl)
      const earlier = perUrl.get(given.mediaUrl) ?? 0
      perUrl.set(given.mediaUrl, earlier + 1)
      const scripted = script.error && earlier < script.error.containers ? script.error.word : undefined
      kept.set(id, {
        ...given,
        id,
        script,
        createdAt: deps.clock.now(),
        error: scripted === undefined ? fetchError(given) : Promise.resolve(scripted),
        vanishes: earlier < script.vanishing,
        looks: 0,
        publishCalls: 0,
      })
      return id
    },
    look: async (account, id) => {
      const published = isPublished(account, id)
      if (!kept.has(id) && published) return { status: 'PUBLISHED' }
      const container = ownOf(account, id)
      container.looks += 1
      const status = await statusOf(container, published)
      if (published && container.script.unreadableAfter) throw noSuchMedia()
      // From the look after the one that found it finished.
      if (container.vanishes && container.looks > USUAL_LOOKS[container.mediaType] + 1) throw noSuchMedia()
      return status
    },
    finished: async (account, id) => {
      const container = ownOf(account, id)
      container.publishCalls += 1
      if (container.publishCalls <= container.script.lateToPublish) throw noSuchMedia()
      const { status } = await statusOf(container, false)
      if (status !== 'FINISHED') throw noSuchMedia()
      return container
    },
  }
}

/** The one word there is for a download is that of videos. */
async function fetchError({
  mediaUrl,
  mediaType,
}: Pick<Container, 'mediaUrl' | 'mediaType'>): Promise<string | undefined> {
  const fetched = await download(mediaUrl, mediaType)
  if (fetched === 'fetched') return undefined
  if (mediaType === 'image') return 'UNKNOWN'
  return fetched === 'broken' ? 'FAILED_PROCESSING_VIDEO' : 'FAILED_DOWNLOADING_VIDEO'
}
