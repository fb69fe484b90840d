import * as z from 'zod'
import { isoTime } from '../../infra/runtime/clock.ts'
import { learnedLife } from '../meta/user-token.ts'
import { checkedCredentials } from '../kit/credentials.ts'
import type { Platform } from '../kit/platform.ts'
import { graph } from './api.ts'
import { givenCredentials, renewed, sessionOf } from './session.ts'
import { plainId } from '../kit/plain-id.ts'

const profile = z.object({ id: plainId, username: z.string().min(1) })

/** Determines whose token it is. A token without a known expiry is renewed to learn it. */
export const connect: Platform['connect'] = async (given, baseUrl, io) => {
  const { accessToken, expiresAt } = checkedCredentials(givenCredentials, given, 'threads')
  const session = sessionOf(accessToken, baseUrl)
  const call = { method: 'GET', path: '/me', query: { fields: 'id,username' } } as const
  const { id: externalId, username: label } = await graph(session, call, profile, io)
  const life = expiresAt === undefined ? await learnedLife(() => renewed(session, io), io.clock) : { expiresAt }
  const credentials = { accessToken, issuedAt: isoTime(io.clock.now()), ...life }
  return { externalId, label, credentials }
}
