import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { isoTime } from '../../system/clock.ts'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answerX, invalidGrant } from './answer.ts'
import { decode, unauthorized, XRefusal } from './refusal.ts'

/** Seconds an access token lives. */
const LIFETIME_S = 7_200
const SCOPE = 'tweet.read tweet.write users.read media.write offline.access'

/** A token names its account and its end, so that one look-up finds what it is to be compared with. */
function token(kind: 'access' | 'refresh', externalId: string, expiresAt: number, { ids }: StandInDeps): string {
  return [kind, externalId, expiresAt, ids.token()].join('.')
}

export function issueTokens(externalId: string, deps: StandInDeps): Readonly<Record<string, string>> {
  const expiresAt = deps.clock.now() + LIFETIME_S * 1_000
  return {
    accessToken: token('access', externalId, expiresAt, deps),
    refreshToken: token('refresh', externalId, 0, deps),
    expiresAt: isoTime(expiresAt),
  }
}

function owner(given: string, { ledger }: StandInDeps): LedgerAccount | undefined {
  return ledger.account('x', given.split('.')[1] ?? '')
}

/** @throws XRefusal 401 */
export function authenticate(authorization: string | undefined, deps: StandInDeps): LedgerAccount {
  const given = /^Bearer ([^ ]+)$/.exec(authorization ?? '')?.[1]
  const account = given === undefined ? undefined : owner(given, deps)
  const alive = account?.secrets['accessToken'] === given && Number(given?.split('.')[2]) > deps.clock.now()
  if (!account || !alive) throw unauthorized()
  return account
}

/** Makes the account's access token void, so that only a refresh helps. */
export function revokeAccess(account: LedgerAccount, { ledger }: StandInDeps): void {
  ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken: '' } })
}

const refreshForm = z.strictObject({
  grant_type: z.literal('refresh_token'),
  refresh_token: z.string().min(1),
  client_id: z.string().min(1).optional(),
})

/**
 * `POST /2/oauth2/token`. A refresh token is good for one use. Using one again ends the access of the account for good,
 * as it is reported of X.
 */
export function registerTokens(app: FastifyInstance, deps: StandInDeps): void {
  app.post('/2/oauth2/token', (request, reply) => {
    const { refresh_token: given, client_id: clientId } = decode(refreshForm, request.body)
    const account = owner(given, deps)
    if (!account) throw invalidGrant()
    mustBeItsApp(account, clientId, request.headers.authorization)
    if (account.secrets['refreshToken'] !== given) {
      if (given.startsWith('refresh.')) {
        deps.ledger.saveAccount({ ...account, secrets: { ...account.secrets, accessToken: '', refreshToken: '' } })
      }
      throw invalidGrant()
    }
    return answerX(reply, 'refresh', account, deps, () => {
      const secrets = { ...account.secrets, ...issueTokens(account.externalId, deps) }
      deps.ledger.saveAccount({ ...account, secrets })
      const { accessToken: access_token, refreshToken: refresh_token } = secrets
      const body = { token_type: 'bearer', expires_in: LIFETIME_S, access_token, scope: SCOPE, refresh_token }
      return { status: 200, body }
    })
  })
}

/** An app with a secret shows both in the header; the sandbox gives each account an app of its own. */
function mustBeItsApp(
  { secrets }: LedgerAccount,
  clientId: string | undefined,
  authorization: string | undefined,
): void {
  const { clientId: id = '', clientSecret: secret = '' } = secrets
  const pair = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')
  if (secret === '' ? clientId === id : authorization === `Basic ${pair}`) return
  throw new XRefusal(401, { error: 'unauthorized_client', error_description: 'Missing valid authorization header' })
}
