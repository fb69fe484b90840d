import type { FastifyInstance, FastifyRequest } from 'fastify'
import { registerPageLists } from '../meta/page-lists.ts'
import { graphRefusal } from '../meta/refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { SCOPES } from './login.ts'
import { listUrl } from './page-query.ts'
import { grantedBy, pagesRunBy, permissionsOf, tasksOn } from './person.ts'
import { authenticate, pageTokenFor, type Call } from './tokens.ts'

/** A person's granted permissions and the Pages they manage. */
export function registerMe(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/v26.0/me/permissions', (request, reply) => {
    const person = authenticatePerson(request, 'permissions', deps)
    return reply.send({ data: permissionsOf(person, SCOPES) })
  })

  registerPageLists(app, {
    person: (request, edge) => authenticatePerson(request, edge, deps),
    granted: (person) => grantedBy(person, SCOPES),
    pages: (person) => pagesRunBy(person, deps),
    shown: ({ externalId: id, label: name }) => ({ id, name }),
    tasks: tasksOn,
    token: (page) => pageTokenFor(page, deps),
    url: (path, person) => listUrl(path, person, deps),
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
