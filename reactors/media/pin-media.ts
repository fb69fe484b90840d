import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import type { MediaRoom } from '../../commands/media-room.ts'
import { pinFile } from '../../commands/media.ts'
import { pinMedia } from '../../commands/schedule-post.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { derivedId, derivedUlid } from '../../domain/core/ids.ts'
import { uploadedFileIn, uploadTypeOf, type UploadType } from '../../domain/core/upload.ts'
import type { MediaType } from '../../domain/core/platform.ts'
import { media } from '../../domain/media/media.ts'
import type { PinnedMedia } from '../../domain/post/post-events.ts'
import { mediaOf, mediaUrls } from '../../domain/post/post-media.ts'
import { isQueued, post, type ScheduledPost } from '../../domain/post/post.ts'
import { mediaFor, type MediaSource, type SpooledMedia } from '../../infra/media/media.ts'
import { mediaUrl, ownMediaName } from '../../infra/media/media-url.ts'
import type { MediaStore } from '../../infra/media/store.ts'
import { resourceId } from '../../infra/runtime/ids.ts'
import { PlatformError } from '../../platforms/kit/platform.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import { DONE, park, type Reactor } from '../runtime/reactor.ts'
import type { WorkerSlot } from '../runtime/worker-slots.ts'

export interface PinDeps extends CommandDeps {
  /** Whether media are copied at all: the setting PIN_MEDIA. */
  readonly isOn: boolean
  readonly media: MediaSource
  readonly store: MediaStore
  readonly room: Pick<MediaRoom, 'adding'>
  readonly seen: Pick<Seen, 'waitFor'>
  /** The largest file that is copied. */
  readonly maxBytes: number
  /** Where the service is reached, without a trailing slash. */
  serviceUrl(): string
  /** The name of a file in the media store, which cannot be guessed. */
  fileOf(mediaId: string, type: UploadType): string
}

/** How long (ms) a host that cannot be reached is tried, and how often at first. */
const TRIED_MS = 3_600_000
const FIRST_RETRY_MS = 15_000

/**
 * Copies the media of a scheduled post into the media store, so that it is published even if their host has lost them by then. A
 * file that cannot be copied is fetched from its host when the post is published, as without this.
 */
export function pinMediaReactor(deps: PinDeps): Reactor {
  const { log, clock, isOn, serviceUrl } = deps
  const isElsewhere = (url: string) => !uploadedFileIn(url) && ownMediaName(serviceUrl(), url) === undefined
  return async ({ subject: id, token }, signal, slot) => {
    const state = await load(log, post, id)
    if (isQueued(state) || state.status !== 'pending') return DONE
    // One that awaits approval may be past its time.
    if (!isOn) return park(Math.max(Date.parse(state.due.dueAt), clock.now() + TRIED_MS))
    const triedMs = clock.now() - Date.parse(state.writtenAt)
    const known = new Map(state.pinned.map((item) => [item.url, item]))
    const pinned: PinnedMedia[] = []
    for (const [url, type] of typesOf(state)) {
      if (!isElsewhere(url)) continue
      const item = known.get(url) ?? (await pinnedFile(deps, { postId: id, state, url, type }, { signal, slot }))
      if ('error' in item && 'mayPass' in item && triedMs < TRIED_MS)
        return park(clock.now() + FIRST_RETRY_MS + triedMs)
      pinned.push('error' in item ? { url, error: item.error } : item)
    }
    const cause = { commandId: derivedId(token, 'pinned'), actor: ACTOR, correlationId: id }
    const { position } = await handle(deps, post, id, cause, (now) => pinMedia(now, pinned, isElsewhere))
    return position === undefined ? park(clock.now()) : DONE
  }
}

const ACTOR = { kind: 'reactor', id: 'pin' } as const

interface Asked {
  readonly postId: string
  readonly state: ScheduledPost
  readonly url: string
  readonly type: MediaType
}

/** `mayPass`: another attempt may succeed. */
type Failed = Extract<PinnedMedia, { error: string }> & { readonly mayPass?: true }

async function pinnedFile(
  deps: PinDeps,
  asked: Asked,
  { signal, slot }: { readonly signal: AbortSignal; readonly slot: WorkerSlot | undefined },
): Promise<Extract<PinnedMedia, { pinnedUrl: string }> | Failed> {
  const { state, url, type: mediaType } = asked
  const source = mediaFor(deps.media, state.content.workspaceId)
  const spool = () => source.spool(url, { mediaType, maxBytes: deps.maxBytes }, signal)
  try {
    const spooled = await (slot ? slot.apart(spool) : spool())
    try {
      return { url, pinnedUrl: mediaUrl(deps.serviceUrl(), await stored(deps, asked, spooled, signal)) }
    } finally {
      await spooled.dispose()
    }
  } catch (error) {
    if (error instanceof Refusal) return { url, error: error.message }
    if (!(error instanceof PlatformError)) throw error
    return { url, error: error.message, ...(error.kind === 'retryable' && { mayPass: true }) }
  }
}

/** The event comes first, so that the agenda has the file to delete even after a crash. @returns its name in the media store */
async function stored(
  deps: PinDeps,
  { postId, state, url }: Asked,
  { facts, open }: SpooledMedia,
  signal: AbortSignal,
): Promise<string> {
  const { mimeType, bytes: sizeBytes } = facts
  const { workspaceId } = state.content
  const contentType = uploadTypeOf(mimeType)
  if (!contentType) throw new PlatformError('permanent', `files of the type ${mimeType} are not copied`)
  const mediaId = resourceId('med', derivedUlid('pin', postId, url))
  const file = deps.fileOf(mediaId, contentType)
  const cause = { commandId: derivedId('pin', mediaId), actor: ACTOR, correlationId: postId }
  return deps.room.adding(workspaceId, mediaId, { name: file, bytes: sizeBytes }, async () => {
    const decide = (now: Parameters<typeof pinFile>[0]) =>
      pinFile(now, { workspaceId, postId, contentType, sizeBytes, file })
    const { state: kept, position } = await handle(deps, media, mediaId, cause, decide)
    if (position !== undefined) await deps.seen.waitFor(position)
    // A copy that was begun earlier has its name.
    const name = kept.status === 'pinned' ? kept.file : file
    await deps.store.put(name, { bytes: sizeBytes, open: () => open() }, signal).catch((cause: unknown) => {
      throw new PlatformError('retryable', 'the copy could not be stored', { cause })
    })
    return name
  })
}

/** The type of each URL: thumbnails are images. */
function typesOf({ content }: ScheduledPost): ReadonlyMap<string, MediaType> {
  const items = [...mediaOf(content), ...(content.chain ?? []).flatMap(({ media: ofPart = [] }) => ofPart)]
  const types = new Map(items.map(({ url, type }) => [url, type]))
  return new Map(mediaUrls(content).map((url) => [url, types.get(url) ?? 'image']))
}
