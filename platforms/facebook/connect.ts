import { z } from 'zod'
import type { Session } from '../meta/graph.ts'
import { PlatformError, type Credentials } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { graph, isTrouble } from './api.ts'
import { credentialsSchema, pageToken, sessionOf } from './session.ts'
import { plainId } from '../kit/plain-id.ts'

const page = z.object({ id: plainId, name: z.string().min(1) })

/**
 * Determines whose token it is, and checks that the user token, if given, leads to the same Page.
 *
 * @throws PlatformError
 */
export async function connect(
  given: Credentials,
  baseUrl: string | undefined,
  io: RestIo,
): Promise<{ externalId: string; label: string; credentials: Credentials }> {
  const parsed = credentialsSchema.safeParse(given)
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw new PlatformError('permanent', `The Facebook credentials are invalid. ${wrong.join('; ')}.`)
  }
  const { accessToken, userToken, clientSecret, pageId } = parsed.data
  const { id, name } = await pageOf(sessionOf(parsed.data, baseUrl), io)
  if (pageId !== undefined && pageId !== id) {
    throw new PlatformError('permanent', `pageId: accessToken belongs to the Page ${id}, ${name}.`)
  }
  if (userToken !== undefined) await mustLeadTo(id, sessionOf({ ...parsed.data, accessToken: userToken }, baseUrl), io)
  const credentials = {
    accessToken,
    ...(userToken !== undefined && { userToken }),
    ...(clientSecret !== undefined && { clientSecret }),
  }
  return { externalId: id, label: name, credentials }
}

async function pageOf(session: Session, io: RestIo): Promise<z.infer<typeof page>> {
  // A person has no category, so the call tells the two kinds of token apart.
  const call = { method: 'GET', path: '/me', query: { fields: 'id,name,category' } } as const
  try {
    return await graph(session, call, page, io)
  } catch (error) {
    const isPerson =
      isTrouble(error, 'not a Page token') || (isTrouble(error, 'refused') && /nonexisting field/i.test(error.message))
    if (!isPerson) throw error
    const message = "accessToken: this is a person's token. Call GET /me/accounts with it to list the Page tokens."
    throw new PlatformError('permanent', message, { cause: error })
  }
}

async function mustLeadTo(pageId: string, person: Session, io: RestIo): Promise<void> {
  try {
    await pageToken(pageId, person, io)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const kind = isTrouble(error, 'unreadable') ? 'permanent' : error.kind
    throw new PlatformError(kind, `userToken: the Page's token could not be obtained with it. ${error.message}`, {
      cause: error,
    })
  }
}
