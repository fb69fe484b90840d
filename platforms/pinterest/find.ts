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

/** How far (ms) our clock may be ahead of Pinterest's, including the truncation of its times to seconds. */
const CLOCKS_APART_MS = 60_000

/**
 * Looks for a Pin whose answer was lost. Pins carry no marker of ours, so it is identified by its content and creation
 * time; an ambiguous match is `unknown`.
 *
 * @throws PlatformError if a later search may give an answer
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

/** Like `findPin`, without a handle, on the board that the post would go to now. @throws PlatformError as `findPin` */
export function findByContent(
  job: PublishJob,
  since: number,
  io: PlatformIo,
  others?: OtherPosts,
): Promise<Search<Published>> {
  return unlessRefused(async () => {
    const { isIt, ...seen } = await pinsLike(job, destinationOf(job, await io.credentials.read()), since, io)
    const telling = {
      listed: (pin: ListedPin) => pin,
      published: (pin: ListedPin) => (isIt(pin) ? publishedPin(pin.id) : undefined),
    }
    return theOne(job, seen, telling, others)
  })
}

/**
 * The Pins with the job's description.
 *
 * @param since ms since the epoch; the Pin cannot be older
 * @returns also `isIt`, whether a Pin's other fields match the job too
 */
async function pinsLike(
  job: PublishJob,
  { boardId, link, ...own }: Destination,
  since: number,
  io: PlatformIo,
): Promise<Seen<ListedPin> & { readonly isIt: (pin: ListedPin) => boolean }> {
  const from = since - CLOCKS_APART_MS
  const { title, description } = { ...pinText(job.text), ...(own.title !== undefined && { title: own.title }) }
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

/** Both the board's Pins and the user's, as it is not documented which of the two shows a new Pin first. */
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
