import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import { registerFacebookLogin, runBy } from '../meta/facebook-login.ts'
import { pick } from '../meta/fields.ts'
import { listQuery, pageOf } from '../meta/page.ts'
import { decode, graphRefusal } from '../meta/refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { authenticate, pageTokenFor, type Caller } from './tokens.ts'

const SCOPES = [
  'instagram_basic',
  'instagram_content_publish',
  'instagram_manage_comments',
  'instagram_manage_insights',
  'pages_show_list',
  'pages_read_engagement',
  'business_management',
  'ads_read',
  'public_profile',
]
const pagesQuery = z.strictObject(listQuery(0, 100, 25))

/** The app-scoped id of the person who logs in with Facebook as this account. */
export function personOf({ externalId }: LedgerAccount): string {
  return `3${externalId.slice(1)}`
}

/** The account's Page, as its person and its own token see it. An account whose label begins with `unlinked` is not linked to its Page. */
export function linkedPage({ externalId, label }: LedgerAccount) {
  const isLinked = !label.startsWith('unlinked')
  return {
    id: `1${externalId.slice(1)}`,
    name: label,
    instagram_business_account: isLinked ? { id: externalId, username: label } : undefined,
  }
}

/** Facebook Login, for the accounts that are linked to the person's Pages. None of the Pages is in a portfolio. */
export function registerPageLogin(app: FastifyInstance, deps: StandInDeps): void {
  registerFacebookLogin(app, deps, {
    platform: 'instagram',
    scopes: SCOPES,
    answer: (reply, account, accept) => answer(reply, 'refresh', { account, kind: 'userToken' }, deps, accept),
  })

  app.get('/v26.0/me/permissions', (request, reply) => {
    const { account } = authenticatePerson(request, deps)
    const granted = account.secrets['scopes']?.split(',') ?? []
    const data = SCOPES.map((permission) => ({
      permission,
      status: granted.includes(permission) ? 'granted' : 'declined',
    }))
    return reply.send({ data })
  })

  app.get('/v26.0/me/accounts', (request, reply) => {
    const person = authenticatePerson(request, deps)
    const { fields, ...page } = decode(pagesQuery, person.parameters)
    const all = runBy(person.account, deps).map((account) => ({
      ...linkedPage(account),
      tasks: ['PROFILE_PLUS_CREATE_CONTENT'],
      access_token: pageTokenFor(account, deps),
    }))
    const url = `${deps.baseUrl()}/v26.0/me/accounts?${new URLSearchParams(person.parameters)}`
    return reply.send(pageOf(all, { ...page, url }, (each) => pick(each, fields)))
  })

  for (const edge of ['businesses', 'assigned_pages']) {
    app.get(`/v26.0/me/${edge}`, (request, reply) => {
      authenticatePerson(request, deps)
      return reply.send({ data: [] })
    })
  }
}

/** What a person may read of a Page: its token. */
export function pageRunBy({ account, kind }: Caller, id: string, deps: StandInDeps) {
  const linked = kind === 'userToken' ? runBy(account, deps).find((each) => linkedPage(each).id === id) : undefined
  return linked && { ...linkedPage(linked), access_token: pageTokenFor(linked, deps) }
}

/** @throws StandInRefusal for another token, which has no such edge */
function authenticatePerson(request: FastifyRequest, deps: StandInDeps): Caller {
  const caller = authenticate(request, deps)
  if (caller.kind === 'userToken') return caller
  throw graphRefusal({ code: 100, message: '(#100) Tried accessing nonexisting field (accounts) on node type (Page)' })
}
