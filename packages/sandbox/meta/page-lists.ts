import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { LedgerAccount } from '../ledger.ts'
import { pick } from './fields.ts'
import { listQuery, pageOf } from './page.ts'
import { decode, graphRefusal } from './refusal.ts'
import type { ById } from './request.ts'
import { unknownObject } from './unknown-object.ts'

/*
 * A person's Pages: those on which they have a role, and those of their business portfolio, which the first list leaves out. The
 * label of a Page's account says which: `portfolio...` is owned by the portfolio, `client...` a client's, and one that also says
 * `unassigned` the person may not use.
 */

/** The person who calls. */
export interface Person {
  readonly account: LedgerAccount
  readonly parameters: Readonly<Record<string, string>>
}

export interface PageLists<P extends Person> {
  /** @param edge what is asked for. @throws StandInRefusal for a token that is not a person's */
  person(request: FastifyRequest, edge: string): P
  granted(person: P): readonly string[]
  pages(person: P): readonly LedgerAccount[]
  shown(page: LedgerAccount): { readonly id: string; readonly name: string }
  tasks(page: LedgerAccount): readonly string[]
  token(page: LedgerAccount): string
  /** The address of a list, with what the caller asked of it. */
  url(path: string, person: P): string
}

const pagesQuery = z.strictObject(listQuery(0, 100, 25))

/** How the person's business portfolio has the Page; undefined for a Page on which the person has a role. */
function portfolioEdgeOf({ label }: LedgerAccount): 'owned_pages' | 'client_pages' | undefined {
  if (label.startsWith('portfolio')) return 'owned_pages'
  return label.startsWith('client') ? 'client_pages' : undefined
}

/** Whether the person may use a Page of the portfolio. */
export function isAssigned({ label }: LedgerAccount): boolean {
  return !label.includes('unassigned')
}

/** The business portfolio of the person. */
function portfolioOf({ externalId }: LedgerAccount): string {
  return `9${externalId}`
}

export function registerPageLists<P extends Person>(app: FastifyInstance, lists: PageLists<P>): void {
  const { pages, shown, tasks } = lists
  const mustManageBusinesses = (person: P): void => {
    if (lists.granted(person).includes('business_management')) return
    throw graphRefusal({ code: 200, message: '(#200) Requires business_management permission to manage the object' })
  }

  app.get('/v26.0/me/accounts', (request, reply) => {
    const person = lists.person(request, 'accounts')
    const { fields, ...asked } = decode(pagesQuery, person.parameters)
    const all = pages(person)
      .filter((page) => portfolioEdgeOf(page) === undefined)
      .map((page) => ({ ...shown(page), tasks: tasks(page), access_token: lists.token(page) }))
    const url = lists.url('me/accounts', person)
    return reply.send(pageOf(all, { ...asked, url }, (page) => pick(page, fields)))
  })

  app.get('/v26.0/me/businesses', (request, reply) => {
    const person = lists.person(request, 'businesses')
    mustManageBusinesses(person)
    const { fields, ...asked } = decode(pagesQuery, person.parameters)
    const hasPages = pages(person).some((page) => portfolioEdgeOf(page) !== undefined)
    const all = hasPages ? [{ id: portfolioOf(person.account), name: 'Acme Group' }] : []
    const url = lists.url('me/businesses', person)
    return reply.send(pageOf(all, { ...asked, url }, (business) => pick(business, fields)))
  })

  app.get('/v26.0/me/assigned_pages', (request, reply) => {
    const person = lists.person(request, 'assigned_pages')
    mustManageBusinesses(person)
    const { fields, ...asked } = decode(pagesQuery, person.parameters)
    const all = pages(person)
      .filter((page) => portfolioEdgeOf(page) !== undefined && isAssigned(page))
      .map((page) => ({ ...shown(page), tasks: tasks(page) }))
    const url = lists.url('me/assigned_pages', person)
    return reply.send(pageOf(all, { ...asked, url }, (page) => pick(page, fields)))
  })

  for (const edge of ['owned_pages', 'client_pages'] as const) {
    app.get<ById>(`/v26.0/:id/${edge}`, (request, reply) => {
      const person = lists.person(request, edge)
      mustManageBusinesses(person)
      const { id } = request.params
      if (id !== portfolioOf(person.account)) throw unknownObject(id)
      const { fields, ...asked } = decode(pagesQuery, person.parameters)
      const all = pages(person)
        .filter((page) => portfolioEdgeOf(page) === edge)
        // Without a role on the Page there is no token.
        .map((page) => ({ ...shown(page), access_token: isAssigned(page) ? lists.token(page) : undefined }))
      const url = lists.url(`${id}/${edge}`, person)
      return reply.send(pageOf(all, { ...asked, url }, (page) => pick(page, fields)))
    })
  }
}
