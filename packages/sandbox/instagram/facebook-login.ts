import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { LedgerAccount } from '../ledger.ts'
import { registerFacebookLogin, runBy } from '../meta/facebook-login.ts'
import { isAssigned, registerPageLists } from '../meta/page-lists.ts'
import { graphRefusal } from '../meta/refusal.ts'
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
  'instagram_manage_contents',
  'public_profile',
]

/** The app-scoped id of the person who logs in with Facebook as this account. */
export function personOf({ externalId }: LedgerAccount): string {
  return `3${externalId.slice(1)}`
}

/** The account's Page, as its person and its own token see it. An account whose label contains `unlinked` is not linked to its Page. */
export function linkedPage({ externalId, label }: LedgerAccount) {
  const isLinked = !label.includes('unlinked')
  return {
    id: `1${externalId.slice(1)}`,
    name: label,
    instagram_business_account: isLinked ? { id: externalId, username: label } : undefined,
  }
}

/** Facebook Login, for the accounts that are linked to the person's Pages. */
export function registerPageLogin(app: FastifyInstance, deps: StandInDeps): void {
  registerFacebookLogin(app, deps, {
    platform: 'instagram',
    scopes: SCOPES,
    answer: (reply, account, accept) => answer(reply, 'refresh', { account, kind: 'userToken' }, deps, accept),
  })

  app.get('/v26.0/me/permissions', (request, reply) => {
    const { account } = authenticatePerson(request, 'permissions', deps)
    const granted = account.secrets['scopes']?.split(',') ?? []
    const data = SCOPES.map((permission) => ({
      permission,
      status: granted.includes(permission) ? 'granted' : 'declined',
    }))
    return reply.send({ data })
  })

  registerPageLists(app, {
    person: (request, edge) => authenticatePerson(request, edge, deps),
    granted: ({ account: { secrets } }) => secrets['scopes']?.split(',') ?? [],
    pages: ({ account }) => runBy(account, deps),
    shown: linkedPage,
    tasks: () => ['PROFILE_PLUS_CREATE_CONTENT'],
    token: (account) => pageTokenFor(account, deps),
    url: (path, { parameters }) => `${deps.baseUrl()}/v26.0/${path}?${new URLSearchParams(parameters)}`,
  })
}

/** What a person may read of a Page: its token. */
export function pageRunBy({ account, kind }: Caller, id: string, deps: StandInDeps) {
  const linked = kind === 'userToken' ? runBy(account, deps).find((each) => linkedPage(each).id === id) : undefined
  if (!linked) return undefined
  return { ...linkedPage(linked), access_token: isAssigned(linked) ? pageTokenFor(linked, deps) : undefined }
}

/** @throws StandInRefusal for another token, which has no such edge */
function authenticatePerson(request: FastifyRequest, edge: string, deps: StandInDeps): Caller {
  const caller = authenticate(request, deps)
  if (caller.kind === 'userToken') return caller
  throw graphRefusal({ code: 100, message: `(#100) Tried accessing nonexisting field (${edge}) on node type (Page)` })
}
