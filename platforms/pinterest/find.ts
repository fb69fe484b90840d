import {
  PlatformError,
  type OtherPosts,
  type Outlook,
  type PlatformIo,
  type PublishHandle,
  type PublishJob,
} from '../platform.ts'
import { IN_PASSING_DOUBT, withoutOthers } from '../without-others.ts'
import { pinterestApi, type Api } from './api.ts'
import { pinHandle } from './handle.ts'
import { pinsSince, type ListedPin, type Listing } from './listing.ts'
import { publishedPin } from './publish.ts'
import { pinText, sameText } from './text.ts'

/** Milliseconds that our clock may be ahead of Pinterest's, and the second that its times are cut to. */
const CLOCKS_APART_MS = 60_000

/**
 * Looks for a Pin whose answer was lost. Pins carry nothing of ours, so it is told by what it says and when it was made:
 * one that fits is it, and where it is not clear, nothing is believed.
 *
 * @throws PlatformError when looking again later may tell
 */
export async function findPin(
  job: PublishJob,
  given: PublishHandle,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Outlook> {
  const handle = pinHandle(given)
  if (!handle) return { outcome: 'unknown' }
  const since = Date.parse(handle.since) - CLOCKS_APART_MS
  const { boardId, link } = handle.destination
  const listings = await listed(boardId, since, pinterestApi(job.account.baseUrl, io))
  if (!listings) return { outcome: 'unknown' }

  const { title, description } = pinText(job.text)
  const pins = [...new Map(listings.flatMap((listing) => listing.pins).map((pin) => [pin.id, pin])).values()]
  const alike = pins.filter(
    (pin) =>
      (pin.createdAt ?? Infinity) >= since &&
      (pin.board_id ?? boardId) === boardId &&
      sameText(pin.description, description),
  )
  const { left, doubt } = await withoutOthers(alike, (pin) => pin, others)
  const [pin, ...more] = left
  if (!pin) return { outcome: listings.every(({ complete }) => complete) ? 'absent' : 'unknown' }
  if (doubt === 'passing') return IN_PASSING_DOUBT
  const ours = pin.createdAt !== undefined && sameText(pin.title, title) && sameLink(pin, link)
  return ours && more.length === 0 && doubt === 'none'
    ? { outcome: 'found', found: publishedPin(pin.id) }
    : { outcome: 'unknown' }
}

/** The board's Pins and the user's: which of the two shows a new Pin first is not documented. */
async function listed(boardId: string, since: number, api: Api): Promise<readonly Listing[] | undefined> {
  try {
    const [board, user] = await Promise.all([
      pinsSince(`/boards/${boardId}/pins`, since, api),
      pinsSince('/pins', since, api),
    ])
    return board && user && [board, user]
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'permanent') return undefined
    throw error
  }
}

function sameLink({ link }: ListedPin, wanted: string | undefined): boolean {
  return normal(link) === normal(wanted)
}

function normal(link: string | null | undefined): string {
  if (!link) return ''
  return URL.canParse(link) ? new URL(link).href : link
}
