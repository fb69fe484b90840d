import type { SignInFailureKind } from '../../infra/oidc/sign-in-failure.ts'

/** Why nobody is signed in, besides what the provider is to blame for. */
export type NotSignedInKind =
  | SignInFailureKind
  | 'expired'
  | 'busy'
  | 'behind'
  | 'no-group'
  | 'group-lost'
  | 'no-name'
  | 'name-taken'
  | 'no-workspace'
  | 'removed'
  | 'identity-taken'
  | 'other-linked'
  | 'signed-out'

const ASK = 'Ask an owner of your workspace.'

/** The status and the words of each; `$` stands for the name that people know the provider by, `%` for a name. */
const WORDS: Readonly<Record<NotSignedInKind, readonly [number, string]>> = {
  denied: [403, 'You cancelled the sign-in, or $ did not let you in.'],
  refused: [502, '$ answered with an error.'],
  'client-refused': [
    502,
    `$ does not accept this service. Its operator should check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.`,
  ],
  outdated: [400, 'This sign-in has been used or has expired.'],
  unavailable: [503, '$ cannot be reached right now.'],
  invalid: [502, '$ answered with something that does not belong to this sign-in.'],
  clock: [502, 'The clocks of $ and of this service differ. Its operator should check both.'],
  expired: [400, 'This sign-in has been used, has expired, or began in another browser.'],
  busy: [429, 'Too many sign-ins from your network. Wait a minute.'],
  behind: [503, 'The service is still catching up. Wait a moment.'],
  'no-group': [403, `You are not in a group that can sign in here. Ask for an invitation.`],
  'group-lost': [403, `You are no longer in a group that can sign in here. ${ASK}`],
  'no-name': [403, `$ told nothing that can be your name here. ${ASK}`],
  'name-taken': [
    409,
    'The name % is taken. If it is yours, sign in with your password and link $ under Settings, Security.',
  ],
  'no-workspace': [
    503,
    'The workspace to join is not set up right. The operator of this service should check OIDC_WORKSPACE.',
  ],
  removed: [403, `Your user was removed. ${ASK}`],
  'identity-taken': [409, 'Another user has linked this identity.'],
  'other-linked': [409, 'You have linked another identity. Unlink it first.'],
  'signed-out': [400, 'You have been signed out. Sign in, and link it again.'],
}

/** A sign-in that ends on a page that says why. The message is for the log. */
export class NotSignedIn extends Error {
  readonly kind: NotSignedInKind
  readonly status: number
  readonly #name: string

  constructor(kind: NotSignedInKind, message: string = kind, name = '') {
    super(message)
    this.name = 'NotSignedIn'
    this.kind = kind
    this.status = WORDS[kind][0]
    this.#name = name
  }

  /** @param provider the name that people know the provider by */
  words(provider: string): string {
    const filled = WORDS[this.kind][1].replaceAll('$', () => provider).replace('%', () => this.#name)
    return filled.charAt(0).toUpperCase() + filled.slice(1)
  }
}
