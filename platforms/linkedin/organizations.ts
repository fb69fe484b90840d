import * as z from 'zod'
import { PlatformError, type PlatformIo } from '../kit/platform.ts'
import { bodyOf } from '../kit/rest.ts'
import { callAs, type Call } from './api.ts'
import { isOrganization } from './author.ts'

const PAGE_SIZE = 50
/** Stops endless paging. */
const MOST_PAGES = 20
const NAMES_AT_ONCE = 50

/** Roles that may post for a page and read its posts. The content administrator role has two names. */
const POSTING_ROLES = ['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR', 'CONTENT_ADMIN', 'DIRECT_SPONSORED_CONTENT_POSTER']

const aclPage = z.object({
  elements: z.array(z.object({ organization: z.string(), role: z.string(), state: z.string().optional() })),
  paging: z.object({ links: z.array(z.object({ rel: z.string() })).optional() }).optional(),
})
const lookup = z.object({ results: z.record(z.string(), z.object({ localizedName: z.string().min(1).optional() })) })

/** URNs of the organizations that the token's member may post for. @throws PlatformError */
export async function organizationsOf(baseUrl: string | undefined, io: PlatformIo): Promise<readonly string[]> {
  const found = new Set<string>()
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = `q=roleAssignee&state=APPROVED&start=${page * PAGE_SIZE}&count=${PAGE_SIZE}`
    const call: Call = {
      method: 'GET',
      path: `/rest/organizationAcls?${query}`,
      headers: { 'x-restli-method': 'FINDER' },
    }
    const response = await callAs(baseUrl, call, io)
    const { elements, paging } = bodyOf('linkedin', { ...call, url: call.path }, response, aclPage)
    for (const { organization, role, state = 'APPROVED' } of elements) {
      if (state === 'APPROVED' && POSTING_ROLES.includes(role) && isOrganization(organization)) found.add(organization)
    }
    const goesOn = paging?.links?.some(({ rel }) => rel === 'next') ?? false
    if (!goesOn && elements.length < PAGE_SIZE) break
  }
  return [...found]
}

/** The names of organizations by URN, where the token may read them. */
export async function namesOf(
  urns: readonly string[],
  baseUrl: string | undefined,
  io: PlatformIo,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (let from = 0; from < urns.length; from += NAMES_AT_ONCE) {
    const some = urns.slice(from, from + NAMES_AT_ONCE)
    const numbers = some.map((urn) => urn.slice(urn.lastIndexOf(':') + 1))
    const call: Call = { method: 'GET', path: `/rest/organizationsLookup?ids=List(${numbers.join(',')})` }
    try {
      const response = await callAs(baseUrl, call, io)
      const { results } = bodyOf('linkedin', { ...call, url: call.path }, response, lookup)
      for (const [index, urn] of some.entries()) {
        const name = results[numbers[index] ?? '']?.localizedName
        if (name !== undefined) names.set(urn, name)
      }
    } catch (error) {
      // Names are optional: pages can also be told apart by number.
      if (!(error instanceof PlatformError)) throw error
      return names
    }
  }
  return names
}
