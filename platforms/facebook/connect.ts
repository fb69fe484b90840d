import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { checkedCredentials } from '../kit/credentials.ts'
import { PlatformError, type Platform } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import type { Removals } from '../kit/removal.ts'
import { personWith } from '../meta/facebook-login.ts'
import { mustLeadTo, personId } from '../meta/person.ts'
import { api, graph, is } from './api.ts'
import { credentialsSchema, sessionOf } from './session.ts'
import { plainId } from '../kit/plain-id.ts'

const page = z.object({ id: plainId, name: z.string().min(1) })

/** Determines whose token it is, and checks that the user token, if given, leads to the same Page. */
export const connect: Platform['connect'] = async (given, baseUrl, io) => {
  const checked = checkedCredentials(credentialsSchema, given, 'facebook')
  const { accessToken, userToken, clientSecret, pageId } = checked
  const { id, name } = await pageOf(sessionOf(checked, baseUrl), io)
  if (pageId !== undefined && pageId !== id) {
    throw new PlatformError('permanent', `pageId: accessToken belongs to the Page ${id}, ${name}.`)
  }
  const person = userToken === undefined ? undefined : personWith({ userToken, clientSecret }, baseUrl)
  if (person) await mustLeadTo(api, id, person, io)
  const credentials = {
    accessToken,
    ...(userToken !== undefined && { userToken }),
    ...(clientSecret !== undefined && { clientSecret }),
  }
  return { externalId: id, label: name, credentials, ownerId: person && (await personId(api, person, io)) }
}

/** A Page's token does not tell whose it is. */
export const ownerId: NonNullable<Removals['ownerId']> = async ({ baseUrl }, io) => {
  const { userToken, clientSecret } = await io.credentials.read()
  return userToken === undefined ? undefined : personId(api, personWith({ userToken, clientSecret }, baseUrl), io)
}

async function pageOf(session: Session, io: RestIo): Promise<z.infer<typeof page>> {
  // A person has no category, so the call tells the two kinds of token apart.
  const call = { method: 'GET', path: '/me', query: { fields: 'id,name,category' } } as const
  try {
    return await graph(session, call, page, io)
  } catch (error) {
    const isPerson = is(error, 'not a Page token') || (is(error, 'refused') && /nonexisting field/i.test(error.message))
    if (!isPerson) throw error
    const message = "accessToken: this is a person's token. Call GET /me/accounts with it to list the Page tokens."
    throw new PlatformError('permanent', message, { cause: error })
  }
}
