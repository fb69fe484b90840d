import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { StandInDeps } from '../stand-in.ts'
import { memberId, pagesOf } from './identity.ts'
import { paged, pageQuery } from './paging.ts'
import { decode } from './refusal.ts'
import { callerOf } from './request.ts'
import { mustHave, mustHaveStandardTier, scopesOf } from './scopes.ts'
import { authenticate } from './tokens.ts'

const aclQuery = z.strictObject({
  q: z.literal('roleAssignee'),
  role: z.string().optional(),
  state: z.enum(['APPROVED', 'REJECTED', 'REQUESTED', 'REVOKED']).optional(),
  ...pageQuery,
})
const lookupQuery = z.strictObject({ ids: z.string().regex(/^List\(\d+(?:,\d+)*\)$/) })

/** Roles that do not allow posting. */
const FURTHER_ROLES = [
  { organization: 'urn:li:organization:1', role: 'ANALYST', state: 'APPROVED' },
  { organization: 'urn:li:organization:2', role: 'ADMINISTRATOR', state: 'REQUESTED' },
  { organization: 'urn:li:organizationBrand:3', role: 'ADMINISTRATOR', state: 'APPROVED' },
] as const

/** The owner of a token, the pages they have a role on, and the names of those. */
export function registerPeople(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/v2/userinfo', (request, reply) => {
    const caller = authenticate(request.headers.authorization, deps)
    mustHave(caller, ['openid', 'profile'], 'userinfo.GET.NO_VERSION')
    const [given_name, ...others] = caller.label.split(' ')
    const sub = memberId(caller)
    const profile = { name: caller.label, given_name, family_name: others.join(' '), locale: 'en-US' }
    const email = scopesOf(caller).includes('email') && { email: `${sub}@example.com`, email_verified: true }
    return reply.send({ sub, ...profile, ...email })
  })

  app.get('/v2/me', (request, reply) => {
    const caller = authenticate(request.headers.authorization, deps)
    mustHave(caller, ['r_basicprofile'], 'me.GET.NO_VERSION')
    const [localizedFirstName, ...others] = caller.label.split(' ')
    return reply.send({ id: memberId(caller), localizedFirstName, localizedLastName: others.join(' ') })
  })

  app.get('/rest/organizationAcls', (request, reply) => {
    const caller = callerOf(request, deps)
    mustHave(caller, ['rw_organization_admin'], 'organizationAcls.FINDER-roleAssignee.20260901')
    const { role, state, start, count } = decode(aclQuery, request.query)
    const own = pagesOf(caller, deps).map(({ externalId }) => ({
      organization: externalId,
      role: 'ADMINISTRATOR',
      state: 'APPROVED',
    }))
    const roleAssignee = `urn:li:person:${memberId(caller)}`
    const all = [...FURTHER_ROLES, ...own]
      .filter((each) => (role ?? each.role) === each.role && (state ?? each.state) === each.state)
      .map((each) => ({ ...each, roleAssignee }))
    return reply.send(paged(all, { start, count }, '/rest/organizationAcls', (each) => each))
  })

  app.get('/rest/organizationsLookup', (request, reply) => {
    const caller = callerOf(request, deps)
    mustHaveStandardTier('OrganizationsLookup', deps)
    mustHave(caller, ['rw_organization_admin'], 'organizationsLookup.BATCH_GET.20260901')
    const numbers = decode(lookupQuery, request.query).ids.match(/\d+/g) ?? []
    const found = numbers.flatMap((number) => {
      const page = deps.ledger.account('linkedin', `urn:li:organization:${number}`)
      return page ? [[number, { id: Number(number), localizedName: page.label }] as const] : []
    })
    const results = Object.fromEntries(found)
    return reply.send({
      results,
      statuses: Object.fromEntries(numbers.map((number) => [number, results[number] ? 200 : 404])),
      errors: {},
    })
  })
}
