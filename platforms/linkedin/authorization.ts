import type { AuthorizationCode, Reached } from '../kit/authorization.ts'
import { freshCredentials } from '../kit/credentials.ts'
import { memberOf } from './member.ts'
import { oauth } from './oauth.ts'
import { namesOf, organizationsOf } from './organizations.ts'

/** A login reaches the member, and the pages that they administer. */
export const authorization: AuthorizationCode = {
  ...oauth.authorization,
  reachesSeveral: true,
  reach: async (granted, baseUrl, io) => {
    const asOwner = { ...io, credentials: freshCredentials(granted) }
    const { urn, name } = await memberOf(baseUrl, asOwner)
    const pages = await organizationsOf(baseUrl, asOwner)
    const names = await namesOf(pages, baseUrl, asOwner)
    const member: Reached = { label: `${name ?? urn} (member)`, credentials: { authorUrn: urn } }
    return [member, ...pages.map((page) => reachedPage(page, names.get(page)))]
  },
}

function reachedPage(urn: string, name: string | undefined): Reached {
  const number = urn.slice(urn.lastIndexOf(':') + 1)
  return { label: name === undefined ? `Page ${number}` : `${name} (page ${number})`, credentials: { authorUrn: urn } }
}
