import { theOne, unlessRefused, type Seen } from '../kit/find-by-content.ts'
import {
  PlatformError,
  type OtherPosts,
  type Outlook,
  type PlatformIo,
  type Published,
  type PublishHandle,
  type PublishJob,
  type Search,
} from '../kit/platform.ts'
import { IN_PASSING_DOUBT, withoutOthers } from '../kit/without-others.ts'
import { pinterestApi, type Api } from './api.ts'
import { destinationOf, type Destination } from './credentials.ts'
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
  const { alike, isWhole, isIt } = await pinsLike(job, handle.destination, Date.parse(handle.since), io)
  const { left, doubt } = await withoutOthers(alike, (pin) => pin, others)
  const [pin, ...more] = left
  if (!pin) return { outcome: isWhole ? 'absent' : 'unknown' }
  if (doubt === 'passing') return IN_PASSING_DOUBT
  return isIt(pin) && more.length === 0 && doubt === 'none'
    ? { outcome: 'found', found: publishedPin(pin.id) }
    : { outcome: 'unknown' }
}

/** The same without a handle, where Pins of the account go today. @throws PlatformError when looking again later may tell */
export function findByContent(
  job: PublishJob,
  since: number,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Search<Published>> {
  return unlessRefused(async () => {
    const { isIt, ...seen } = await pinsLike(job, destinationOf(await io.credentials.read()), since, io)
    const telling = {
      listed: (pin: ListedPin) => pin,
      published: (pin: ListedPin) => (isIt(pin) ? publishedPin(pin.id) : undefined),
    }
    return theOne(job, seen, telling, others)
  })
}

/**
 * The Pins with the description.
 *
 * @param since ms since the epoch: none was made earlier
 * @returns also which of them are the job's, by all that it shows
 */
async function pinsLike(
  job: PublishJob,
  { boardId, link }: Destination,
  since: number,
  io: PlatformIo,
): Promise<Seen<ListedPin> & { readonly isIt: (pin: ListedPin) => boolean }> {
  const from = since - CLOCKS_APART_MS
  const { title, description } = pinText(job.text)
  const listings = await listed(boardId, from, pinterestApi(job.account.baseUrl, io))
  const pins = new Map(listings?.flatMap((listing) => listing.pins).map((pin) => [pin.id, pin]))
  const alike = [...pins.values()].filter(
    (pin) =>
      (pin.createdAt ?? Infinity) >= from &&
      (pin.board_id ?? boardId) === boardId &&
      sameText(pin.description, description),
  )
  const isIt = (pin: ListedPin) => pin.createdAt !== undefined && sameText(pin.title, title) && sameLink(pin, link)
  return { alike, isWhole: listings?.every(({ complete }) => complete) ?? false, isIt }
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
