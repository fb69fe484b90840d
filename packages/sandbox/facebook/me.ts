import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import { pick } from '../meta/fields.ts'
import { pageOf } from '../meta/page.ts'
import { decode, graphRefusal } from '../meta/refusal.ts'
import type { ById } from '../meta/request.ts'
import { unknownObject } from '../meta/unknown-object.ts'
import type { StandInDeps } from '../stand-in.ts'
import { SCOPES } from './login.ts'
import { listUrl, pageQuery } from './page-query.ts'
import { grantedBy, isAssigned, pagesRunBy, permissionsOf, portfolioEdgeOf, portfolioOf, tasksOn } from './person.ts'
import { authenticate, pageTokenFor, type Call } from './tokens.ts'

const pagesQuery = z.strictObject(pageQuery)

/** A person's granted permissions and the Pages they manage. */
export function registerMe(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/v26.0/me/permissions', (request, reply) => {
    const person = authenticatePerson(request, 'permissions', deps)
    return reply.send({ data: permissionsOf(person, SCOPES) })
  })

  app.get('/v26.0/me/accounts', (request, reply) => {
    const person = authenticatePerson(request, 'accounts', deps)
    const { fields, ...asked } = decode(pagesQuery, person.parameters)
    const all = pagesRunBy(person, deps)
      .filter((page) => portfolioEdgeOf(page) === undefined)
      .map((page) => ({ ...shown(page), tasks: tasksOn(page), access_token: pageTokenFor(page, deps) }))
    const url = listUrl('me/accounts', person, deps)
    return reply.send(pageOf(all, { ...asked, url }, (page) => pick(page, fields)))
  })

  app.get('/v26.0/me/businesses', (request, reply) => {
    const person = authenticatePerson(request, 'businesses', deps)
    mustManageBusinesses(person)
    const { fields, ...asked } = decode(pagesQuery, person.parameters)
    const hasPages = pagesRunBy(person, deps).some((page) => portfolioEdgeOf(page) !== undefined)
    const all = hasPages ? [{ id: portfolioOf(person.account), name: 'Acme Group' }] : []
    const url = listUrl('me/businesses', person, deps)
    return reply.send(pageOf(all, { ...asked, url }, (business) => pick(business, fields)))
  })

  app.get('/v26.0/me/assigned_pages', (request, reply) => {
    const person = authenticatePerson(request, 'assigned_pages', deps)
    mustManageBusinesses(person)
    const { fields, ...asked } = decode(pagesQuery, person.parameters)
    const all = pagesRunBy(person, deps)
      .filter((page) => portfolioEdgeOf(page) !== undefined && isAssigned(page))
      .map((page) => ({ ...shown(page), tasks: tasksOn(page) }))
    const url = listUrl('me/assigned_pages', person, deps)
    return reply.send(pageOf(all, { ...asked, url }, (page) => pick(page, fields)))
  })

  for (const edge of ['owned_pages', 'client_pages'] as const) {
    app.get<ById>(`/v26.0/:id/${edge}`, (request, reply) => {
      const person = authenticatePerson(request, edge, deps)
      mustManageBusinesses(person)
      const { id } = request.params
      if (id !== portfolioOf(person.account)) throw unknownObject(id)
      const { fields, ...asked } = decode(pagesQuery, person.parameters)
      const all = pagesRunBy(person, deps)
        .filter((page) => portfolioEdgeOf(page) === edge)
        // Without a role on the Page there is no token.
        .map((page) => ({ ...shown(page), access_token: isAssigned(page) ? pageTokenFor(page, deps) : undefined }))
      const url = listUrl(`${id}/${edge}`, person, deps)
      return reply.send(pageOf(all, { ...asked, url }, (page) => pick(page, fields)))
    })
  }
}

function shown({ externalId: id, label: name }: LedgerAccount) {
  return { id, name }
}

/** @throws StandInRefusal */
function mustManageBusinesses(person: Call): void {
  if (grantedBy(person, SCOPES).includes('business_management')) return
  throw graphRefusal({ code: 200, message: '(#200) Requires business_management permission to manage the object' })
}

/** @throws StandInRefusal for a Page, which has no such edge */
function authenticatePerson(request: FastifyRequest, edge: string, deps: StandInDeps): Call {
  const call = authenticate(request, deps)
  if (call.kind === 'userToken') return call
  throw graphRefusal({
    code: 100,
    message: `(#100) Tried accessing nonexisting field (${edge}) on node type (Page)`,
  })
}
