import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { HttpFailure } from '../http/http.ts'

export type SignInFailureKind =
  /** The person, or the provider on their behalf, did not agree. */
  | 'denied'
  /** The provider answered with another error. */
  | 'refused'
  /** The provider does not accept the client's id or secret. */
  | 'client-refused'
  /** The code was used, or is too old. */
  | 'outdated'
  /** No answer in time, or none of the protocol. */
  | 'unavailable'
  /** An answer for somebody else, or from somebody else. */
  | 'invalid'
  /** A token from the past or the future. */
  | 'clock'

/** A provider with which nobody could be signed in. The message is for the log, and has nothing secret in it. */
export class SignInFailure extends Error {
  readonly kind: SignInFailureKind

  constructor(kind: SignInFailureKind, message: string) {
    super(message)
    this.name = 'SignInFailure'
    this.kind = kind
  }
}

/** By the codes of openid-client. */
const KINDS: Readonly<Record<string, SignInFailureKind>> = {
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'unavailable',
  OAUTH_RESPONSE_IS_NOT_JSON: 'unavailable',
  OAUTH_PARSE_ERROR: 'unavailable',
  OAUTH_TIMEOUT: 'unavailable',
  OAUTH_ABORT: 'unavailable',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'clock',
}
const OF_THE_CLIENT = ['invalid_client', 'unauthorized_client']

/** Keeps no cause: those of openid-client have the answers of the provider, with tokens. */
export function signInFailureOf(error: unknown): unknown {
  if (error instanceof AuthorizationResponseError) {
    return new SignInFailure(error.error === 'access_denied' ? 'denied' : 'refused', asWord(error.error))
  }
  if (error instanceof ResponseBodyError) {
    const isOfClient = OF_THE_CLIENT.includes(error.error)
    const kind = isOfClient ? 'client-refused' : error.error === 'invalid_grant' ? 'outdated' : 'refused'
    return new SignInFailure(kind, asWord(error.error))
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    return new SignInFailure('client-refused', `status ${error.status}`)
  }
  if (!(error instanceof ClientError)) return error
  if (error.cause instanceof HttpFailure) return new SignInFailure('unavailable', error.cause.message)
  const code = error.code ?? ''
  return new SignInFailure(KINDS[code] ?? 'invalid', `${error.message} ${code}`.trim())
}

/** Anybody can send a browser here with any error. */
function asWord(error: string): string {
  return /^[\w.-]{1,64}$/.test(error) ? error : 'an unknown error'
}
