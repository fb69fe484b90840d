import { z } from 'zod'
import { isoTime } from '../../system/clock.ts'
import { PlatformError, type Credentials } from '../platform.ts'
import type { RestIo } from '../rest.ts'
import { graph, type Session } from './graph.ts'
import { givenCredentials, renewedToken, sessionOf, youngTokenEnds } from './session.ts'

const profile = z.object({ id: z.string().min(1), username: z.string().min(1) })

/**
 * Asks whose token it is. A token whose end is not given is renewed, to learn it.
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
    throw new PlatformError('permanent', `The Threads credentials can't be used. ${wrong.join('; ')}.`)
  }
  const { accessToken, expiresAt } = parsed.data
  const session = sessionOf(accessToken, baseUrl)
  const call = { method: 'GET', path: '/me', query: { fields: 'id,username' } } as const
  const { id: externalId, username: label } = await graph(session, call, profile, io)
  const life = expiresAt === undefined ? await lifeOf(session, io) : { expiresAt }
  const credentials = { accessToken, issuedAt: isoTime(io.clock.now()), ...life }
  return { externalId, label, credentials }
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
