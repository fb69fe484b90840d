import type { FastifyInstance } from 'fastify'
import type { LedgerAccount } from '../ledger.ts'
import type { StandInDeps } from '../stand-in.ts'
import { accountNumbers } from './numbers.ts'
import { pageOf, pageQuery } from './page.ts'
import { decode, pinterestRefusal } from './refusal.ts'
import { authenticate, mustBeGranted } from './tokens.ts'

/** Pages may hold fewer items than requested, to catch callers that read only one page. */
const MOST_BOARDS_A_PAGE = 2
const NAMES = ['Trails', 'Huts', 'Fanfare']

/** Each account has three boards from the start. The credentials name the last one. */
export function boardIds(externalId: string): readonly string[] {
  const number = externalId.replaceAll(/\D/g, '') || '0'
  return NAMES.map((_, index) => `${number}${index + 1}`)
}

/** Each board has one section. */
export function sectionId(boardId: string): string {
  return `${boardId}7`
}

/** @throws StandInRefusal 404 code 40 */
export function mustOwnBoard({ externalId }: LedgerAccount, boardId: string): void {
  if (!boardIds(externalId).includes(boardId)) throw pinterestRefusal(404, 40, 'Board not found.')
}

/** `GET /user_account` and `GET /boards`. */
export function registerBoards(app: FastifyInstance, deps: StandInDeps): void {
  app.get('/v5/user_account', (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    mustBeGranted(account, ['user_accounts:read'])
    const { externalId: id, label: username } = account
    return reply.send({ id, username, account_type: 'BUSINESS', ...accountNumbers(account, deps) })
  })

  app.get('/v5/boards', (request, reply) => {
    const { externalId } = authenticate(request.headers.authorization, deps)
    const query = decode(pageQuery, request.query)
    const boards = boardIds(externalId).map((id, index) => ({ id, name: NAMES[index], privacy: 'PUBLIC' }))
    return reply.send(pageOf(boards, { ...query, page_size: Math.min(query.page_size, MOST_BOARDS_A_PAGE) }))
  })
}
