import type { AuthorizationCode, Login, Reached } from '../kit/authorization.ts'
import { freshCredentials } from '../kit/credentials.ts'
import { memberOf } from './member.ts'
import { memberOauth, memberPermissions, oauth, permissions } from './oauth.ts'
import { namesOf, organizationsOf } from './organizations.ts'

const reachMember: NonNullable<AuthorizationCode['reach']> = async (granted, baseUrl, io) => {
  const { urn, name } = await memberOf(baseUrl, { ...io, credentials: freshCredentials(granted) })
  return [{ label: `${name ?? urn} (member)`, credentials: { authorUrn: urn } }]
}

const reachPages: NonNullable<AuthorizationCode['reach']> = async (granted, baseUrl, io) => {
  const asOwner = { ...io, credentials: freshCredentials(granted) }
  const pages = await organizationsOf(baseUrl, asOwner)
  const names = await namesOf(pages, baseUrl, asOwner)
  return pages.map((page) => reachedPage(page, names.get(page)))
}

/** LinkedIn escapes quotes for HTML. */
const readDescription = (text: string): string => text.replaceAll('&quot;', '"')

/**
 * LinkedIn allows the Community Management API only as the single product of an app, so an app for pages and one for members
 * exclude each other. The app for pages reaches the member as well.
 */
export const logins: readonly Login[] = [
  {
    key: 'page',
    name: 'Pages',
    permissions,
    authorization: {
      ...oauth.authorization,
      readDescription,
      reachesSeveral: true,
      reach: async (...granted) => [...(await reachMember(...granted)), ...(await reachPages(...granted))],
    },
  },
  {
    key: 'member',
    name: 'My profile',
    app: 'linkedin_member',
    permissions: memberPermissions,
    // No app may read a member's comments.
    capabilities: ['publishing', 'replies'],
    authorization: { ...memberOauth.authorization, readDescription, reach: reachMember },
  },
]

function reachedPage(urn: string, name: string | undefined): Reached {
  const number = urn.slice(urn.lastIndexOf(':') + 1)
  return { label: name === undefined ? `Page ${number}` : `${name} (page ${number})`, credentials: { authorUrn: urn } }
}
