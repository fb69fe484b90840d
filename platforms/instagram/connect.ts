import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import type { Session } from '../meta/graph.ts'
import { learnedLife } from '../meta/user-token.ts'
import { checkedCredentials } from '../kit/credentials.ts'
import { PlatformError, type Credentials, type Platform } from '../kit/platform.ts'
import type { Removals } from '../kit/removal.ts'
import type { RestIo } from '../kit/rest.ts'
import { personWith } from '../meta/facebook-login.ts'
import { mustLeadTo, personId } from '../meta/person.ts'
import { api, graph, is } from './api.ts'
import { givenCredentials, renewed, sessionOf, withSession } from './session.ts'
import { plainId } from '../kit/plain-id.ts'

/** `id` is app-scoped; Meta reports with it that the app was removed. */
const instagramUser = z.object({ id: plainId.optional(), user_id: plainId, username: z.string().min(1) })
const page = z.object({
  id: plainId,
  name: z.string().catch(''),
  instagram_business_account: z.object({ id: plainId, username: z.string().min(1) }).optional(),
})

interface Owner {
  readonly externalId: string
  readonly username: string
  readonly ownerId?: string | undefined
  readonly pageId?: string
}

/** Determines whose token it is. An Instagram user token without a known expiry is renewed to learn it. */
export const connect: Platform['connect'] = async (given, baseUrl, io) => {
  const checked = checkedCredentials(givenCredentials, given, 'instagram')
  const { loginType, expiresAt, userToken, ...rest } = checked
  const session = sessionOf(checked, baseUrl)
  const { externalId, username, ownerId, pageId } = await (loginType === 'instagram'
    ? userOf(session, io)
    : linkedAccountOf(checked, baseUrl, io))
  const isUnknown = loginType === 'instagram' && expiresAt === undefined
  const life = isUnknown ? await learnedLife(() => renewed(session, io), io.clock) : { expiresAt }
  const issuedAt = isoTime(io.clock.now())
  const { clientSecret, accessToken } = rest
  const kept = { loginType, accessToken, clientSecret, issuedAt, username, userToken, pageId, ...life }
  return { externalId, label: username, credentials: withoutGaps(kept), ownerId }
}

/** With Facebook login, it is the person whose token is kept; that of the linked Page does not tell whose it is. */
export const ownerId: NonNullable<Removals['ownerId']> = async (account, io) => {
  const { loginType, userToken, clientSecret } = await io.credentials.read()
  if (loginType !== 'instagram') {
    if (userToken === undefined) return undefined
    return personId(api, personWith({ userToken, clientSecret }, account.baseUrl), io)
  }
  return withSession(account, io, async (session) => (await userOf(session, io)).ownerId)
}

async function userOf(session: Session, io: RestIo): Promise<Owner> {
  const call = { method: 'GET', path: '/me', query: { fields: 'id,user_id,username' } } as const
  const { id: ownerId, user_id: externalId, username } = await graph(session, call, instagramUser, io)
  return { externalId, username, ownerId }
}

async function linkedAccountOf(
  given: z.infer<typeof givenCredentials>,
  baseUrl: string | undefined,
  io: RestIo,
): Promise<Owner> {
  const session = sessionOf(given, baseUrl)
  const { userToken, clientSecret } = given
  const query = { fields: 'id,name,instagram_business_account{id,username}' }
  const {
    id: pageId,
    name,
    instagram_business_account: account,
  } = await graph(session, { method: 'GET', path: '/me', query }, page, io).catch((error: unknown) => {
    // A user token has no such field.
    if (!is(error, 'refused') || !/nonexisting field/i.test(error.message)) throw error
    throw new PlatformError('permanent', 'accessToken: this is not the token of a Facebook Page.', { cause: error })
  })
  if (account) {
    const { id: externalId, username } = account
    if (userToken === undefined) return { externalId, username, pageId }
    const person = personWith({ userToken, clientSecret }, baseUrl)
    await mustLeadTo(api, pageId, person, io)
    return { externalId, username, pageId, ownerId: await personId(api, person, io) }
  }
  throw new PlatformError(
    'permanent',
    `accessToken: the Facebook Page ${name} has no Instagram business or creator account linked to it.`,
  )
}

function withoutGaps(fields: Readonly<Record<string, string | undefined>>): Credentials {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
