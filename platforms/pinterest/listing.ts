import * as z from 'zod'
import type { Api } from './api.ts'
import { pinId } from './publish.ts'

/** The maximum is 250, but a page of that many Pins would exceed our response size limit. */
const PAGE_SIZE = 100
const MOST_PAGES = 10

const pinSchema = z.object({
  id: pinId,
  created_at: z.string().nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  link: z.string().nullish(),
  board_id: z.string().nullish(),
})
const pinPage = z.object({ items: z.array(pinSchema), bookmark: z.string().nullish() })

export interface ListedPin extends z.infer<typeof pinSchema> {
  /** Milliseconds since the epoch, with a resolution of seconds; undefined if Pinterest does not give it. */
  readonly createdAt: number | undefined
}

export interface Listing {
  readonly pins: readonly ListedPin[]
  /** Whether this includes every Pin since the requested time, apart from those Pinterest does not list yet. */
  readonly complete: boolean
}

/**
 * The Pins of a list back to a point in time. The order is not documented, so paging stops early only if the Pins read so
 * far are clearly sorted newest first.
 *
 * @returns undefined if the list cannot be parsed
 * @throws PlatformError
 */
export async function pinsSince(path: string, since: number, api: Api): Promise<Listing | undefined> {
  const pins: ListedPin[] = []
  let bookmark = ''
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({ page_size: String(PAGE_SIZE), ...(bookmark && { bookmark }) })
    const answer = pinPage.safeParse(await api({ method: 'GET', path: `${path}?${query}` }, z.unknown()))
    if (!answer.success) return undefined
    pins.push(...answer.data.items.map((item) => ({ ...item, createdAt: timeOf(item.created_at) })))
    if (!answer.data.bookmark) return { pins, complete: true }
    if (reachesBehind(since, pins)) return { pins, complete: true }
    bookmark = answer.data.bookmark
  }
  return { pins, complete: false }
}

function reachesBehind(since: number, pins: readonly ListedPin[]): boolean {
  const times = pins.map(({ createdAt }) => createdAt ?? NaN)
  const [newest = NaN, oldest = NaN] = [times.at(0), times.at(-1)]
  const newestFirst = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? NaN))
  return newestFirst && newest > oldest && oldest < since
}

/** Contrary to the API description, live answers have no time zone; they are in UTC. */
function timeOf(text: string | null | undefined): number | undefined {
  if (!text) return undefined
  const time = Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(time) ? undefined : time
}
