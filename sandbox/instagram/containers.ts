import { z } from 'zod'
import type { MediaType } from '../../domain/platform.ts'
import type { StandInDeps } from '../stand-in.ts'
import { directivesOf } from './directives.ts'
import { faultOf } from './download.ts'
import { CONTAINER, newId } from './edges.ts'
import { GraphRefusal } from './refusal.ts'

const LIFETIME_MS = 86_400_000
/** For how many looks Instagram is at work on each kind of media. */
const LOOKS = { image: 1, video: 2 } as const

export interface Container {
  readonly id: string
  readonly accountId: string
  readonly mediaUrl: string
  readonly mediaType: MediaType
  readonly caption: string
  /** Seconds from its publishing on until it is listed. */
  readonly listedAfter: number
}

export type Status =
  | { readonly code: 'IN_PROGRESS' | 'FINISHED' | 'EXPIRED' | 'PUBLISHED' }
  | { readonly code: 'ERROR'; readonly subcode: number }

export interface Containers {
  /** @throws GraphRefusal */
  create(accountId: string, given: unknown): Container
  /** A container of the account. One of which only the id is known was lost with the process. */
  find(id: string, accountId: string): Container | 'lost' | undefined
  /** Waits for its download, so that the number of looks does not depend on how fast that is. */
  look(container: Container): Promise<Status>
  /** As of the last look. */
  status(container: Container): Status
}

const url = z.url({ protocol: /^https?$/ }).regex(/^[\x21-\x7e]+$/, 'only plain ASCII')
const common = {
  caption: z.string().optional(),
  access_token: z.string().optional(),
  appsecret_proof: z.string().optional(),
}
const newMedia = z.union([
  z.strictObject({ ...common, image_url: url, alt_text: z.string().max(1_000).optional() }),
  z.strictObject({
    ...common,
    media_type: z.literal('REELS'),
    video_url: url,
    share_to_feed: z.enum(['true', 'false']).optional(),
    thumb_offset: z.string().regex(/^\d+$/).optional(),
    cover_url: url.optional(),
  }),
])

interface Progress {
  looksLeft: number
  readonly download: Promise<number | undefined>
  fault?: number | undefined
  readonly createdAt: number
}

/** The containers of all accounts, in memory; that one was published is known from the ledger. */
export function containers({ ledger, clock, ids }: StandInDeps, closing: AbortSignal): Containers {
  const all = new Map<string, { readonly container: Container; readonly progress: Progress }>()
  const usedDirectives = new Map<string, number>()

  const published = ({ accountId, id }: { accountId: string; id: string }): boolean =>
    ledger.posts('instagram', { accountId, token: id }).length > 0
  const status = (container: Container): Status => {
    if (published(container)) return { code: 'PUBLISHED' }
    const progress = all.get(container.id)?.progress
    if (!progress || clock.now() >= progress.createdAt + LIFETIME_MS) return { code: 'EXPIRED' }
    if (progress.looksLeft > 0) return { code: 'IN_PROGRESS' }
    return progress.fault === undefined ? { code: 'FINISHED' } : { code: 'ERROR', subcode: progress.fault }
  }

  return {
    create: (accountId, given) => {
      const { caption = '', ...media } = checked(given)
      const [mediaUrl, mediaType] =
        'image_url' in media ? ([media.image_url, 'image'] as const) : ([media.video_url, 'video'] as const)
      const { create, error, processing, listedAfter = 0 } = directivesOf(mediaUrl, usedDirectives)
      if (create !== undefined) throw new GraphRefusal(refusalOf(create))
      const id = newId(CONTAINER, ids)
      const container = { id, accountId, mediaUrl, mediaType, caption, listedAfter }
      const download = error === undefined ? faultOf(mediaUrl, mediaType, closing) : Promise.resolve(error)
      const progress = { looksLeft: processing ?? LOOKS[mediaType], download, createdAt: clock.now() }
      all.set(id, { container, progress })
      return container
    },
    find: (id, accountId) => {
      const container = all.get(id)?.container
      if (container) return container.accountId === accountId ? container : undefined
      return id.startsWith(CONTAINER) ? 'lost' : undefined
    },
    look: async (container) => {
      const progress = all.get(container.id)?.progress
      if (progress) progress.fault = await progress.download
      const found = status(container)
      if (progress && progress.looksLeft > 0) progress.looksLeft -= 1
      return found
    },
    status,
  }
}

function checked(given: unknown): z.infer<typeof newMedia> {
  const parsed = newMedia.safeParse(given)
  if (!parsed.success) {
    const isVideo = z.object({ media_type: z.literal('VIDEO') }).safeParse(given).success
    throw new GraphRefusal(
      isVideo
        ? { code: 100, subcode: 2207023, message: 'The media type VIDEO is unknown: use REELS' }
        : { code: 100, message: `(#100) Invalid parameter: ${z.prettifyError(parsed.error)}` },
    )
  }
  const { caption = '' } = parsed.data
  if ([...caption].length > 2_200) {
    throw new GraphRefusal({ code: 36004, subcode: 2207010, message: 'The caption was too long' })
  }
  if ((caption.match(/(?<!\w)@\w+/g)?.length ?? 0) > 20) {
    throw new GraphRefusal({ code: 100, subcode: 2207040, message: 'Cannot use more than 20 tags' })
  }
  return parsed.data
}

const CODES: Readonly<Record<number, number>> = {
  2207003: -2,
  2207004: 36000,
  2207005: 36001,
  2207009: 36003,
  2207026: 352,
  2207052: 9004,
}

function refusalOf(subcode: number): { code: number; subcode: number; message: string } {
  return { code: CODES[subcode] ?? -1, subcode, message: 'The media could not be used' }
}
