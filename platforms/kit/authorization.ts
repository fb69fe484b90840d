import type { Capability } from '../../domain/account/capability.ts'
import type { ChosenVersions } from './api-version.ts'
import type { Credentials, Permissions, PlatformIo } from './platform.ts'

/** The OAuth app that identifies this installation to a platform; its owner registered it there. */
export interface OAuthApp {
  readonly clientId: string
  /** Absent for public clients, where the platform allows them. */
  readonly clientSecret?: string | undefined
  /** The configuration of Facebook Login for Business, for an app that uses it. */
  readonly configId?: string | undefined
}

export interface ConsentRequest {
  /** What to ask for, as the platform names it. Empty if the app itself determines that. */
  readonly scopes: readonly string[]
  /** Where the platform redirects the browser; registered with the app. */
  readonly redirectUri: string
  readonly state: string
  /** PKCE challenge, method S256 (RFC 7636 §4.2). Platforms without PKCE leave it out. */
  readonly challenge: string
  readonly versions?: ChosenVersions | undefined
}

export interface CodeGrant {
  readonly code: string
  readonly redirectUri: string
  /** PKCE verifier (RFC 7636 §4.1). Platforms without PKCE leave it out. */
  readonly verifier: string
}

/** One of the accounts that a login can access: a page, a location, a board. */
export interface Reached {
  readonly label: string
  /** Credential fields that select this account, and those specific to it. */
  readonly credentials: Credentials
  /** Why it cannot be connected, and what to do about it, as a sentence. */
  readonly problem?: string
}

/** How an account's owner grants access in a browser: the authorization code grant (RFC 6749 §4.1). */
export interface AuthorizationCode {
  /** Whether the app must have a secret. */
  readonly needsSecret: boolean
  /**
   * Registers an app with the account's own server. Absent where there is one server, and the operator registers the app.
   *
   * @throws PlatformError
   */
  register?(redirectUri: string, baseUrl: string | undefined, io: Omit<PlatformIo, 'credentials'>): Promise<OAuthApp>
  /** Credential fields that consent does not yield: the owner supplies them beforehand. */
  readonly asksFor?: readonly string[]
  /** URL of the platform's consent page. */
  consentUrl(app: OAuthApp, request: ConsentRequest, baseUrl: string | undefined): string
  /** Decodes the `error_description` of an answer without a code (RFC 6749 §4.1.2.1). Default: as it is. */
  readonly readDescription?: (text: string) => string
  /**
   * Exchanges the code for the credentials that `connect` takes, and `scopes`: what the platform granted, separated by spaces.
   * Absent if it does not say.
   *
   * @throws PlatformError
   */
  exchange(
    app: OAuthApp,
    grant: CodeGrant,
    baseUrl: string | undefined,
    io: Omit<PlatformIo, 'credentials'>,
  ): Promise<Credentials>
  /** Whether each account that the login can access is one of its own, so that several can be connected at once. */
  readonly reachesSeveral?: true
  /**
   * The accounts that the login can access, if there can be several. Absent: only the account that logged in.
   *
   * @throws PlatformError
   */
  reach?(
    granted: Credentials,
    baseUrl: string | undefined,
    io: Omit<PlatformIo, 'credentials'>,
  ): Promise<readonly Reached[]>
}

type ByChoice = Permissions | ((chosen: Credentials) => Permissions)

/** One way in which owners log in on a platform: with an app, permissions and a reach of its own. */
export interface Login {
  /** Where there are several: how a request names it, and the credentials that it granted (`login`). */
  readonly key?: string
  /** Where there are several: what it is for, in words for the owner. */
  readonly name?: string
  /** The `<app>` of `<APP>_CLIENT_ID` and `<APP>_CLIENT_SECRET`, in lower case. Default: the platform's key. */
  readonly app?: string
  /**
   * The permissions that each capability needs, as the platform names them: consent asks for those of the capabilities that the
   * owner allows. Absent where access is not divided, and a capability that is absent needs no more than publishing does. A function
   * where they depend on what the owner chose: the account's other credential fields.
   */
  readonly permissions?: ByChoice
  /** Permissions that are asked for with a capability, and without which it works, in part. As `permissions`. */
  readonly optional?: ByChoice
  /** What its accounts can be used for. Default: all that the platform has. */
  readonly capabilities?: readonly Capability[]
  readonly authorization: AuthorizationCode
}
