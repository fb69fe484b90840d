import * as z from 'zod'
import { list, url } from './setting-values.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Codes and tokens pass between the browser, the provider and the service, so only a provider on this machine may do without TLS. */
export const issuer = url('https:', 'http:').refine(
  (value) => {
    if (!URL.canParse(value)) return true
    const { protocol, hostname, username, password, search, hash } = new URL(value)
    return username + password + search + hash === '' && (protocol === 'https:' || LOOPBACK.includes(hostname))
  },
  { error: 'must begin with https:// (http:// only on this machine), without a user, password, query or fragment' },
)

const scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/)
export const scopes = z
  .string()
  .transform((value) => value.trim().split(/\s+/))
  .pipe(z.array(scope))
  .refine((all) => all.includes('openid'), {
    error: 'must be scopes separated by spaces, openid among them, such as openid profile email',
  })

/** `social=author, leads=manager`. A group may contain `=`; the last one counts. */
export const groupRoles = list(
  z.string().transform((pair, context) => {
    const [, group, role] = /^(\S.*)=([^=]*)$/.exec(pair) ?? []
    if (group !== undefined && role !== undefined) return { group: group.trim(), role: role.trim() }
    context.addIssue({
      code: 'custom',
      message: 'must be group=role pairs, separated by commas, such as social=author, leads=manager',
    })
    return z.NEVER
  }),
)

export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  /** Absent for a public client, which has only the proof key. */
  readonly clientSecret: string | undefined
  readonly scopes: readonly string[]
  readonly groupsClaim: string
  /** What people call it. */
  readonly name: string
  /** Where people join by a group: the id or the name of a workspace. */
  readonly workspace: string | undefined
  readonly roles: readonly { readonly group: string; readonly role: string }[]
}

/** As given in the environment. */
export interface GivenOidcSettings {
  readonly OIDC_ISSUER?: string | undefined
  readonly OIDC_CLIENT_ID?: string | undefined
  readonly OIDC_CLIENT_SECRET?: string | undefined
  readonly OIDC_SCOPES: readonly string[]
  readonly OIDC_GROUPS_CLAIM: string
  readonly OIDC_NAME: string
  readonly OIDC_WORKSPACE?: string | undefined
  readonly OIDC_ROLES?: OidcSettings['roles'] | undefined
}

/** The provider that people sign in with, if there is one, or what is wrong: one line per setting. */
export function oidcSettings(
  given: GivenOidcSettings,
): { readonly server: OidcSettings | undefined } | { readonly problems: readonly string[] } {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_WORKSPACE: workspace, OIDC_ROLES: roles } = given
  const problems: string[] = []
  const others = (['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_WORKSPACE', 'OIDC_ROLES'] as const).filter(
    (name) => given[name] !== undefined,
  )
  if (issuer === undefined && others.length > 0) {
    problems.push(`OIDC_ISSUER: is required with ${others.join(' and ')}; set it to the URL of the provider`)
  }
  if (issuer !== undefined && clientId === undefined) {
    problems.push('OIDC_CLIENT_ID: is required with OIDC_ISSUER; register a client at the provider and set its id')
  }
  if (workspace === undefined && roles !== undefined) {
    problems.push('OIDC_WORKSPACE: is required with OIDC_ROLES; set it to the workspace that the groups join')
  }
  if (workspace !== undefined && roles === undefined) {
    problems.push('OIDC_ROLES: is required with OIDC_WORKSPACE; set what groups give, such as social=author')
  }
  if (problems.length > 0) return { problems }
  if (issuer === undefined || clientId === undefined) return { server: undefined }
  const {
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_SCOPES: scopes,
    OIDC_GROUPS_CLAIM: groupsClaim,
    OIDC_NAME: name,
  } = given
  const server = { issuer, clientId, clientSecret, scopes, groupsClaim, name, workspace, roles: roles ?? [] }
  return { server }
}
