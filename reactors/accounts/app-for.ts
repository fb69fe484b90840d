import { Refusal } from '../../domain/core/errors.ts'
import type { OAuthApp } from '../../platforms/kit/authorization.ts'
import { loginFor } from '../../platforms/kit/logins.ts'
import { PlatformError, type Credentials, type Platform } from '../../platforms/kit/platform.ts'
import type { PlatformAccess } from '../platform-calls/platform-access.ts'

const REGISTER_TIMEOUT_MS = 15_000

/** An app to ask for consent with, its login, and the remaining credentials. */
export interface ChosenApp {
  readonly app: OAuthApp
  readonly given: Credentials
  readonly login?: string | undefined
}

/** Whether accounts are connected without an app of the operator. */
export function registersItself({ logins }: Pick<Platform, 'logins'>): boolean {
  return logins[0]?.authorization.register !== undefined
}

/**
 * The app in `credentials`, else one that is registered with the account's server where that takes any, else the operator's.
 *
 * @throws Refusal when there is none
 */
export async function appFor(
  { apps, connecting }: Pick<PlatformAccess, 'apps' | 'connecting'>,
  platform: Platform,
  baseUrl: string | undefined,
  { credentials, login, redirectUri }: { credentials: Credentials; login?: string | undefined; redirectUri: string },
): Promise<ChosenApp> {
  const {
    authorization: { register },
    key,
  } = loginFor(platform, login)
  if (!register || credentials['clientId'] !== undefined) return apps.choose(platform, baseUrl, credentials, login)
  const work = (io: Parameters<typeof register>[2]) => register(redirectUri, baseUrl, io)
  const app = await connecting(REGISTER_TIMEOUT_MS, work).catch((error: unknown) => {
    throw error instanceof PlatformError ? new Refusal('failed_precondition', error.message) : error
  })
  return { app, given: credentials, login: key }
}
