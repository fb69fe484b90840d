import * as z from 'zod'
import { hasStatus } from '../kit/errors.ts'
import type { Api } from './api.ts'

/** The maximum of each endpoint. */
const ACCOUNTS_PAGE_SIZE = 20
const LOCATIONS_PAGE_SIZE = 100
/** Stops endless paging. */
const MOST_PAGES = 50

const READ_MASK = 'name,title,languageCode,storefrontAddress,metadata'

const accountPage = z.object({
  accounts: z.array(z.object({ name: z.string() })).optional(),
  nextPageToken: z.string().optional(),
})
const location = z.object({
  /** `locations/456`, without the account. */
  name: z.string(),
  title: z.string().catch(''),
  languageCode: z.string().min(1).optional().catch(undefined),
  storefrontAddress: z
    .object({ addressLines: z.array(z.string()).optional(), locality: z.string().optional() })
    .optional()
    .catch(undefined),
  metadata: z.object({ mapsUri: z.string().min(1).optional().catch(undefined) }).catch({}),
})
export type Location = z.infer<typeof location>
const locationPage = z.object({ locations: z.array(location).optional(), nextPageToken: z.string().optional() })

/** Names of the accounts that the user can reach, such as `accounts/123`. The first often has no locations. */
export async function accountsOf(api: Api): Promise<readonly string[]> {
  const pages = await pagesOf(`${api.hosts.accounts}/accounts`, { pageSize: `${ACCOUNTS_PAGE_SIZE}` }, accountPage, api)
  return pages.flatMap(({ accounts = [] }) => accounts.map(({ name }) => name))
}

/**
 * The locations of an account; empty if the user cannot reach it.
 *
 * @param account such as `accounts/123`
 */
export async function locationsUnder(account: string, api: Api): Promise<readonly Location[]> {
  const query = { readMask: READ_MASK, pageSize: `${LOCATIONS_PAGE_SIZE}` }
  try {
    const pages = await pagesOf(`${api.hosts.locations}/${account}/locations`, query, locationPage, api)
    return pages.flatMap(({ locations = [] }) => locations)
  } catch (error) {
    const unreached = hasStatus(error, 403, 404) && error.code === ''
    if (unreached && error.kind === 'permanent') return []
    throw error
  }
}

async function pagesOf<Page extends { readonly nextPageToken?: string | undefined }>(
  url: string,
  query: Readonly<Record<string, string>>,
  answer: z.ZodType<Page>,
  api: Api,
): Promise<readonly Page[]> {
  const pages: Page[] = []
  let pageToken: string | undefined
  do {
    const asked = new URLSearchParams({ ...query, ...(pageToken && { pageToken }) })
    const page = await api.call({ method: 'GET', url: `${url}?${asked}` }, answer)
    pages.push(page)
    pageToken = page.nextPageToken
  } while (pageToken && pages.length < MOST_PAGES)
  return pages
}
