import * as z from 'zod'
import { Refusal } from '../../../domain/core/errors.ts'
import { text } from '../../../domain/core/text.ts'
import { erasure, type ErasureFilter, type ErasureState } from '../../../domain/workspace/erasure.ts'
import { workspace } from '../../../domain/workspace/workspace.ts'
import { closeWorkspace } from '../../../commands/close-workspace.ts'
import { requestErasure } from '../../../commands/erasure.ts'
import { findAccount } from '../../../projections/models/accounts.ts'
import { erasures, findErasure, type ErasureRow } from '../../../projections/models/erasures.ts'
import { newestFirst } from '../../../projections/engine/newest-first.ts'
import { isoTime } from '../../../infra/runtime/clock.ts'
import { resourceId } from '../../../infra/runtime/ids.ts'
import { decider } from '../../kit/decide.ts'
import { listRoute } from '../../kit/list-route.ts'
import { owned } from '../../kit/owned.ts'
import { route, type AnyRoute, type Caller } from '../../http/route.ts'
import type { Services } from '../../kit/services.ts'
import { shown } from '../../kit/shown.ts'
import {
  erasureBody,
  erasurePreviewSchema,
  erasureSchema,
  workspaceErasureBody,
  workspaceErasureSchema,
  type ErasureBody,
} from './erasure-schemas.ts'

const TAG = 'Privacy'
const idParams = z.object({ id: text(100) })

/** Erasing personal data for good (decision 47). */
export function erasureRoutes(services: Services): readonly AnyRoute[] {
  const { db, erasableKeys: keys } = services
  const decide = decider(services, erasure)
  const decideWorkspace = decider(services, workspace)

  const present = async (row: ErasureRow) => {
    const counts = row.status === 'running' ? await keys.erased(row.workspaceId, row.id) : {}
    return shown(erasureSchema, { ...row, ...counts })
  }

  return [
    route({
      method: 'POST',
      path: '/erasures/preview',
      operationId: 'previewErasure',
      summary: 'Count what an erasure would erase',
      description: 'Nothing is changed.',
      effect: 'reads',
      tag: TAG,
      scope: 'erasures:read',
      body: erasureBody,
      answer: { status: 200, description: 'What matches now.', schema: erasurePreviewSchema },
      handle: async ({ body, caller }) => ({
        status: 200,
        body: await keys.count(await erasureFilter(services, body, caller)),
      }),
    }),

    route({
      method: 'POST',
      path: '/erasures',
      operationId: 'erasePersonalData',
      summary: 'Erase the authors and texts of comments, and of replies to them, for good',
      description:
        'What happened remains, without its personal data: it reads [erased], here and in all later exports. ' +
        'Nothing is deleted on the platforms. Pending replies to these comments are rejected. It cannot be undone: ' +
        'call previewErasure first.',
      effect: 'overwrites',
      tag: TAG,
      scope: 'erasures:write',
      body: erasureBody,
      idempotent: true,
      answer: {
        status: 202,
        description: 'It has begun. getErasure tells when it is finished.',
        schema: erasureSchema,
      },
      handle: async (request) => {
        const id = resourceId('ers', request.work)
        const filter = await erasureFilter(services, request.body, request.caller)
        const state = await decide(request, id, (before) => requestErasure(before, filter))
        return { status: 202, body: presentState(id, state) }
      },
    }),

    route({
      method: 'POST',
      path: '/erasures/workspace',
      operationId: 'eraseWorkspace',
      summary: 'Erase the whole workspace for good',
      description:
        'Everything in it ends: keys are revoked and users removed, accounts are disconnected, and what is scheduled is ' +
        'canceled. Then nothing of it can be read anymore, neither here nor in the log. This takes a minute or more, ' +
        'during which this key stops working. It cannot be undone.',
      effect: 'overwrites',
      tag: TAG,
      scope: 'erasures:write',
      body: workspaceErasureBody,
      answer: { status: 202, description: 'It has begun.', schema: workspaceErasureSchema },
      handle: async (request) => {
        const { workspaceId } = request.caller
        const { name } = request.body
        const state = await decideWorkspace(request, workspaceId, (before) => closeWorkspace(before, name))
        if (state.status !== 'closed') throw new Refusal('not_found', 'No such workspace.')
        return { status: 202, body: { workspaceId, name, requestedAt: state.closedAt } }
      },
    }),

    listRoute(services, {
      path: '/erasures',
      operationId: 'listErasures',
      summary: 'List erasures, newest first',
      tag: TAG,
      scope: 'erasures:read',
      plural: 'erasures',
      item: erasureSchema,
      fetch: async (page) => Promise.all((await newestFirst(db, erasures, page)).map(present)),
      present: (erasure) => erasure,
      place: ({ createdAt: at, id }) => ({ at, id }),
    }),

    route({
      method: 'GET',
      path: '/erasures/{id}',
      operationId: 'getErasure',
      summary: 'Get one erasure, and how far it is',
      tag: TAG,
      scope: 'erasures:read',
      params: idParams,
      answer: { status: 200, description: 'The erasure.', schema: erasureSchema },
      handle: async ({ params: { id }, caller }) => {
        return { status: 200, body: await present(owned(await findErasure(db, id), caller, 'erasure')) }
      },
    }),
  ]
}

/** @throws Refusal not_found, forbidden, or invalid_request for a time in the future */
export async function erasureFilter(
  { db, clock, erasableKeys }: Pick<Services, 'db' | 'clock' | 'erasableKeys'>,
  { author, accountId, before }: ErasureBody,
  caller: Pick<Caller, 'workspaceId'>,
): Promise<ErasureFilter> {
  const { workspaceId } = caller
  const now = isoTime(clock.now())
  if (accountId !== undefined) owned(await findAccount(db, accountId), caller, 'account')
  if (before !== undefined && before > now) throw new Refusal('invalid_request', 'before must not be in the future')
  return {
    ...{ workspaceId, before: before ?? now },
    ...(accountId !== undefined && { accountId }),
    ...(author !== undefined && { author: await erasableKeys.authorHash(workspaceId, author) }),
  }
}

/** An erasure from its stream: it shows the command's result even if the read model lags. */
function presentState(id: string, state: ErasureState): z.infer<typeof erasureSchema> {
  if (state.status === 'absent') throw new Refusal('not_found', 'No such erasure.')
  const { requestedAt: createdAt, author } = state
  return shown(erasureSchema, { ...NONE, ...state, id, createdAt, byAuthor: author !== undefined })
}

const NONE = { comments: 0, replies: 0, deliveries: 0 }
