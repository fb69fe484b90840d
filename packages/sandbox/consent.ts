import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod'
import type { PlatformKey } from '../../domain/core/platform.ts'
import { takeForms } from './form-body.ts'
import { escaped } from './html.ts'
import type { LedgerAccount, LedgerApp } from './ledger.ts'
import type { StandInDeps } from './stand-in.ts'

/** Lifetime of a code in milliseconds: at most ten minutes (RFC 6749 §4.1.2), and shorter on most platforms. */
const CODE_LIFETIME_MS = 60_000

/** How one platform asks an account's owner for consent. */
export interface ConsentRules {
  readonly platform: PlatformKey
  /** Whose apps may ask. Default: the platform's own. */
  readonly apps?: PlatformKey
  readonly path: string
  /** The platform's name for the client id. Default: `client_id`. */
  readonly clientIdName?: 'client_id' | 'client_key'
  readonly scopes: readonly string[]
  readonly scopeSeparator: ' ' | ','
  /** Whether the owner can decline this one of the scopes asked for. Default: only all of them. */
  readonly canDecline?: (scope: string, asked: readonly string[]) => boolean
  /** How it tells the app that it asks for a scope that it may not have. Default: it may have all. */
  readonly unauthorizedScope?: (scope: string) => Readonly<Record<string, string>>
  /** What the platform's page tells an owner who may not consent. */
  readonly turnsAway?: (account: LedgerAccount) => string | undefined
  /** A proof key (RFC 7636, S256) is taken; otherwise it is refused like any unknown parameter. */
  readonly proofKey?: true
  /** Parameters that may be absent. Default: none. */
  readonly optional?: readonly string[]
  /** Additional parameters and their allowed values. */
  readonly further?: Readonly<Record<string, readonly string[] | 'anything'>>
}

export interface Grant {
  readonly account: LedgerAccount
  readonly app: LedgerApp
  readonly scopes: readonly string[]
  /** The additional parameters of the request. */
  readonly further: Readonly<Record<string, string>>
}

/** Issued codes, each valid for one exchange. */
export interface Codes {
  /** The grant behind a code; undefined unless the client, the redirect URI and the proof match those of the request. */
  redeem(
    code: string,
    shown: { clientId: string; redirectUri: string; verifier?: string | undefined },
  ): Grant | undefined
}

interface Given {
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string | undefined
  readonly externalId: string
  readonly scopes: readonly string[]
  readonly further: Readonly<Record<string, string>>
  readonly endsAt: number
}

/** With `single`, only the scopes whose boxes are checked are granted, and those that cannot be declined. */
const decision = z
  .object({ account: z.string(), decision: z.enum(['allow', 'deny']), single: z.literal('on').optional() })
  .catchall(z.literal('on'))

/**
 * The consent page: the owner logs in as any account of the platform's stand-in. An unknown app or redirect URI is reported to
 * the owner, all other errors to the app (RFC 6749 §4.1.2.1).
 */
export function registerConsent(app: FastifyInstance, deps: StandInDeps, rules: ConsentRules): Codes {
  const codes = new Map<string, Given>()
  const { ledger, clock, ids } = deps

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    takeForms(scope)

    scope.get(rules.path, (request, reply) => {
      const asked = askedOf(request.query, rules, deps, reply)
      if (!asked) return reply
      const accounts = ledger.accounts(rules.platform)
      const choices = accounts.map(
        ({ externalId, label }) => `<option value="${escaped(externalId)}">${escaped(label)}</option>`,
      )
      return reply.type('text/html; charset=utf-8').send(`<!doctype html><title>Sandbox ${rules.platform}</title>
<h1>Sandbox ${rules.platform}</h1><p>The app ${escaped(asked.app.clientId)} requests access to: ${escaped(asked.scopes.join(' '))}</p>
<form method="post">${boxesFor(asked, rules)}<label>Log in as <select name="account">${choices.join('')}</select></label>
<button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></form>`)
    })

    scope.post(rules.path, (request, reply) => {
      const asked = askedOf(request.query, rules, deps, reply)
      if (!asked) return reply
      const form = decision.safeParse(request.body)
      const account = form.success ? ledger.account(rules.platform, form.data.account) : undefined
      if (!form.success || !account) return reply.code(400).type('text/plain').send('No such account')
      const why = rules.turnsAway?.(account)
      if (why !== undefined) return reply.code(400).type('text/plain').send(why)
      if (form.data.decision === 'deny') return back(reply, asked, { error: 'access_denied' })
      const code = ids.token()
      codes.set(code, {
        ...asked,
        scopes: asked.scopes.filter((each) => isGranted(each, asked, form.data, rules)),
        clientId: asked.app.clientId,
        externalId: account.externalId,
        endsAt: clock.now() + CODE_LIFETIME_MS,
      })
      return back(reply, asked, { code })
    })
  })

  return {
    redeem: (code, { clientId, redirectUri, verifier }) => {
      const given = codes.get(code)
      codes.delete(code)
      const registered = ledger.app(rules.apps ?? rules.platform, clientId)
      const account = given && ledger.account(rules.platform, given.externalId)
      if (!given || !registered || !account || given.endsAt <= clock.now()) return undefined
      if (given.clientId !== clientId || given.redirectUri !== redirectUri) return undefined
      const proven = verifier === undefined ? undefined : createHash('sha256').update(verifier).digest('base64url')
      const { scopes, further } = given
      return proven === given.challenge ? { account, app: registered, scopes, further } : undefined
    },
  }
}

/** A checkbox for each scope that can be declined. */
function boxesFor(asked: Asked, rules: ConsentRules): string {
  const boxes = asked.scopes
    .filter((scope) => isDeclinable(scope, asked, rules))
    .map((scope) => `<p><label><input type="checkbox" name="${escaped(scope)}" checked> ${escaped(scope)}</label></p>`)
  return boxes.length === 0 ? '' : `<input type="hidden" name="single" value="on">${boxes.join('')}`
}

/** Those of a configuration are granted together. */
function isDeclinable(scope: string, { app, scopes }: Asked, { canDecline }: ConsentRules): boolean {
  return app.configId === undefined && (canDecline?.(scope, scopes) ?? false)
}

function isGranted(
  scope: string,
  asked: Asked,
  form: Readonly<Record<string, string | undefined>>,
  rules: ConsentRules,
): boolean {
  return form['single'] === undefined || form[scope] === 'on' || !isDeclinable(scope, asked, rules)
}

interface Asked {
  readonly app: LedgerApp
  readonly redirectUri: string
  readonly state: string | undefined
  readonly challenge: string | undefined
  readonly scopes: readonly string[]
  readonly further: Readonly<Record<string, string>>
}

/** Parses the consent request. Returns undefined after answering an invalid one. */
function askedOf(query: unknown, rules: ConsentRules, { ledger }: StandInDeps, reply: FastifyReply): Asked | undefined {
  const { config_id: configId, ...shown } = z.record(z.string(), z.string()).safeParse(query).data ?? {}
  const { clientIdName = 'client_id', scopeSeparator } = rules
  const registered = ledger.app(rules.apps ?? rules.platform, shown[clientIdName] ?? '')
  const redirectUri = shown['redirect_uri'] ?? ''
  if (registered?.redirectUri !== redirectUri) {
    const why = registered ? 'redirect_uri is not registered for the app' : `${clientIdName} is unknown`
    void reply.code(400).type('text/plain').send(why)
    return undefined
  }
  if (registered.configId !== configId) {
    void reply.code(400).type('text/plain').send("It looks like this app isn't available")
    return undefined
  }
  // A configuration determines the scopes.
  const given = configId === undefined ? shown : { ...shown, scope: (registered.scopes ?? []).join(scopeSeparator) }
  const challenge = given['code_challenge']
  const scopes = (given['scope'] ?? '').split(scopeSeparator)
  const further = Object.fromEntries(Object.entries(given).filter(([name]) => rules.further?.[name]))
  const asked = { app: registered, redirectUri, state: given['state'], challenge, scopes, further }
  const beyond = scopes.find((scope) => registered.scopes?.includes(scope) === false)
  if (beyond !== undefined && rules.unauthorizedScope) {
    void back(reply, asked, rules.unauthorizedScope(beyond))
    return undefined
  }
  const wrong = wrongParameter(given, scopes, rules)
  if (wrong === undefined) return asked
  const error =
    wrong === 'scope' ? 'invalid_scope' : wrong === 'response_type' ? 'unsupported_response_type' : 'invalid_request'
  void back(reply, asked, { error, error_description: wrong })
  return undefined
}

function wrongParameter(
  given: Readonly<Record<string, string>>,
  scopes: readonly string[],
  { clientIdName = 'client_id', scopes: known, proofKey, optional = [], further = {} }: ConsentRules,
): string | undefined {
  const allowed: Readonly<Record<string, (value: string) => boolean>> = {
    [clientIdName]: () => true,
    redirect_uri: () => true,
    response_type: (value) => value === 'code',
    scope: () => scopes.every((scope) => known.includes(scope)),
    state: (value) => value !== '',
    ...(proofKey && {
      code_challenge: (value) => /^[\w-]{43}$/.test(value),
      // Clients write it in either case.
      code_challenge_method: (value) => value.toUpperCase() === 'S256',
    }),
  }
  const missing = Object.keys(allowed).find((name) => given[name] === undefined && !optional.includes(name))
  const wrong = Object.entries(given).find(
    ([name, value]) => !(allowed[name]?.(value) ?? (further[name] === 'anything' || further[name]?.includes(value))),
  )
  return missing ?? wrong?.[0]
}

function back(
  reply: FastifyReply,
  { redirectUri, state }: Asked,
  answer: Readonly<Record<string, string>>,
): FastifyReply {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...answer, ...(state !== undefined && { state }) })) {
    url.searchParams.set(name, value)
  }
  return reply.redirect(url.href, 302)
}
