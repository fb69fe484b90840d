import type { Credentials, PlatformIo } from './platform.ts'

/** What a platform knows this installation by: an app that its owner registered there. */
export interface OAuthApp {
  readonly clientId: string
  /** Absent for an app that keeps none, where the platform has such. */
  readonly clientSecret?: string | undefined
}

export interface ConsentRequest {
  /** Where the platform sends the browser back to; registered with the app. */
  readonly redirectUri: string
  readonly state: string
  /** PKCE, of the method S256 (RFC 7636 §4.2). Platforms without PKCE leave it out. */
  readonly challenge: string
}

export interface CodeGrant {
  readonly code: string
  readonly redirectUri: string
  /** PKCE (RFC 7636 §4.1). Platforms without PKCE leave it out. */
  readonly verifier: string
}

/** One of the accounts that a login reaches: a page, a location, a board. */
export interface Reached {
  readonly label: string
  /** The fields of the platform's credentials that tell it from the others, and what only it has. */
  readonly credentials: Credentials
}

/** How an account's owner lets this installation in, in a browser: the authorization-code grant (RFC 6749 §4.1). */
export interface AuthorizationCode {
  /** Whether an app without a secret is of no use. */
  readonly needsSecret: boolean
  /** Fields of the platform's credentials that no consent tells: the owner gives them beforehand. */
  readonly asksFor?: readonly string[]
  /** The page of the platform on which the owner consents. */
  consentUrl(app: OAuthApp, request: ConsentRequest, baseUrl: string | undefined): string
  /**
   * Trades the code for what `connect` takes.
   *
   * @throws PlatformError
   */
  exchange(
    app: OAuthApp,
    grant: CodeGrant,
    baseUrl: string | undefined,
    io: Omit<PlatformIo, 'credentials'>,
  ): Promise<Credentials>
  /**
   * The accounts that the login reaches, where it can be several. Absent: the one whose login it is.
   *
   * @throws PlatformError
   */
  reach?(
    granted: Credentials,
    baseUrl: string | undefined,
    io: Omit<PlatformIo, 'credentials'>,
  ): Promise<readonly Reached[]>
}

/** The app as fields of an account's credentials, where its tokens can only be renewed by it. */
export function appCredentials({ clientId, clientSecret }: OAuthApp): Credentials {
  return { clientId, ...(clientSecret !== undefined && { clientSecret }) }
}
