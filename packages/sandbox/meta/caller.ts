import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { graphRefusal } from './refusal.ts'
import { asked, type Asked } from './request.ts'

/** Secret of the default app, used by accounts whose owner has not authorized another one. */
const APP_SECRET = 'the-secret-of-the-sandbox-app'

/** @throws StandInRefusal without a token */
export function askedWithToken(request: FastifyRequest): Asked & { readonly token: string } {
  const { token, ...rest } = asked(request)
  if (token !== undefined) return { token, ...rest }
  const message = 'An active access token must be used to query information about the current user.'
  throw graphRefusal({ code: 2500, message })
}

/** @throws StandInRefusal for a proof that is not of this token and the account's app */
export function mustBeProof(given: string | undefined, token: string, { secrets }: LedgerAccount): void {
  const { clientSecret = APP_SECRET } = secrets
  if (given === undefined || given === createHmac('sha256', clientSecret).update(token).digest('hex')) return
  throw graphRefusal({ code: 100, message: 'Invalid appsecret_proof provided in the API argument' })
}

/** Revokes the token that the caller used, which is the account's secret of this name. */
export function revoke(
  { account, kind }: { readonly account: LedgerAccount; readonly kind: string },
  { ledger }: StandInDeps,
): void {
  ledger.saveAccount({ ...account, secrets: { ...account.secrets, [kind]: '' } })
}
