import { z } from 'zod'
import { isoTime } from '../../system/clock.ts'
import { PlatformError, type Credentials } from '../platform.ts'
import type { RestIo } from '../rest.ts'
import { isTrouble } from './errors.ts'
import { graph, type Session } from './graph.ts'
import { givenCredentials, renewedToken, sessionOf, youngTokenEnds } from './session.ts'

const instagramUser = z.object({ user_id: z.string().min(1), username: z.string().min(1) })
const page = z.object({
  name: z.string().catch(''),
  instagram_business_account: z.object({ id: z.string().min(1), username: z.string().min(1) }).optional(),
})

interface Owner {
  readonly externalId: string
  readonly username: string
}

/**
 * Asks whose token it is. An Instagram user token whose end is not given is renewed, to learn it.
 *
 * @throws PlatformError
 */
export async function connect(
  given: Credentials,
  baseUrl: string | undefined,
  io: RestIo,
): Promise<{ externalId: string; label: string; credentials: Credentials }> {
  const parsed = givenCredentials.safeParse(given)
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new PlatformError('permanent', `The Instagram credentials can't be used. ${wrong.join('; ')}.`)
  }
  const { loginType, expiresAt, ...rest } = parsed.data
  const session = sessionOf(parsed.data, baseUrl)
  const { externalId, username } = await (loginType === 'instagram'
    ? userOf(session, io)
    : linkedAccountOf(session, io))
  const life = loginType === 'instagram' && expiresAt === undefined ? await lifeOf(session, io) : { expiresAt }
  const issuedAt = isoTime(io.clock.now())
  const { clientSecret, accessToken } = rest
  const kept = { loginType, accessToken, clientSecret, issuedAt, username, ...life }
  return { externalId, label: username, credentials: withoutGaps(kept) }
}

async function userOf(session: Session, io: RestIo): Promise<Owner> {
  const call = { method: 'GET', path: '/me', query: { fields: 'user_id,username' } } as const
  const { user_id: externalId, username } = await graph(session, call, instagramUser, io)
  return { externalId, username }
}

async function linkedAccountOf(session: Session, io: RestIo): Promise<Owner> {
  const query = { fields: 'id,name,instagram_business_account{id,username}' }
  const { name, instagram_business_account: account } = await graph(
    session,
    { method: 'GET', path: '/me', query },
    page,
    io,
  ).catch((error: unknown) => {
    // A user's token has no such field.
    if (!isTrouble(error, 'refused') || !/nonexisting field/i.test(error.message)) throw error
    throw new PlatformError('permanent', 'accessToken: this is not the token of a Facebook Page.', { cause: error })
  })
  if (account) return { externalId: account.id, username: account.username }
  throw new PlatformError(
    'permanent',
    `accessToken: the Facebook Page ${name} has no Instagram business or creator account linked to it.`,
  )
}

/** A token that is refused a renewal, though it works, is less than a day old. */
async function lifeOf(session: Session, io: RestIo): Promise<{ accessToken?: string; expiresAt: string }> {
  try {
    return await renewedToken(session, io)
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'permanent')
      return { expiresAt: youngTokenEnds(io.clock.now()) }
    throw error
  }
}

function withoutGaps(fields: Readonly<Record<string, string | undefined>>): Credentials {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
