import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { pick } from '../meta/fields.ts'
import { pageOf } from '../meta/page.ts'
import { decode, graphRefusal } from '../meta/refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { SCOPES } from './login.ts'
import { pageQuery } from './page-query.ts'
import { pagesRunBy, permissionsOf, tasksOn } from './person.ts'
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
    const all = pagesRunBy(person, deps).map((page) => ({
      id: page.externalId,
      name: page.label,
      tasks: tasksOn(page),
      access_token: pageTokenFor(page, deps),
    }))
    const url = `${deps.baseUrl()}/v26.0/me/accounts`
    return reply.send(pageOf(all, { ...asked, url }, (page) => pick(page, fields)))
  })
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
