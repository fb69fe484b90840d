import t, { type Test } from 'tap'
import { createCursors } from '../api/http/pagination.ts'
import { CURSOR_KEY, givenApi, type Call } from './support/api.ts'
import type { Answer } from './support/api-answer.ts'
import { fieldsOf, withAt } from './support/json-schema.ts'
import { operationsOf, type Operation } from './support/openapi.ts'
import {
  bodyFor,
  queryOf,
  givenTenant,
  kindOf,
  platformFor,
  revealed,
  rowsOf,
  strangeIds,
  type Tenant,
} from './support/tenants.ts'
import { givenProcess } from './support/world.ts'

/** Lists that do not begin with the newest. */
const SOONEST_FIRST = ['approvals', 'scheduled-posts']
/** Lists that are ordered by revision. */
const BY_REVISION = ['credits/events', 'slots/events']
/** Lists that are ordered by a number, and what their cursors are for. */
const RANKED: Readonly<Record<string, string>> = { 'analytics/top-posts': 'analytics/top-posts views' }

/** Who calls, and the ids of the path that are not its own. */
interface Choice {
  readonly as?: Tenant
  readonly ids?: Readonly<Record<string, string>>
}

/*
 * Every operation, at every place where it takes an id, with ids that are not the caller's. The published document makes
 * the cases: a new endpoint is covered by being there, or fails here until givenTenant makes its kind of resource.
 */
t.test('given two workspaces and every endpoint', async (t) => {
  const api = await givenApi(t)
  const caller = await givenTenant(api, 'caller')
  const victim = await givenTenant(api, 'victim')
  // Names nobody else's ids, so that all it is shown must be its own.
  const bystander = await givenTenant(api, 'bystander')
  const service = await givenProcess(api.world)
  const cursors = createCursors(CURSOR_KEY)
  const operations = await operationsOf(api)
  const before = await rowsOf(api, victim)
  t.ok(before.length >= 6, `the victim has ${before.length} rows to lose`)
  let cases = 0

  const callOf = (operation: Operation, { as = caller, ids = {} }: Choice = {}): Call => {
    const { method, path, body, required } = operation
    const idOf = (name: string) => ids[name] ?? as.ids[kindOf(path, name)] ?? ''
    return {
      method,
      path: `/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(idOf(name)))}${queryOf(required)}`,
      key: as.key,
      ...(body && { body: bodyFor(operation, as, idOf) }),
    }
  }

  const harmless = async (t: Test, answer: Answer, given: string, allowed: readonly number[]) => {
    cases += 1
    t.ok(allowed.includes(answer.status), `${answer.status} ${answer.text.slice(0, 150)}`)
    t.same(revealed(victim, answer, given), [], 'nothing is revealed')
    t.same(await rowsOf(api, victim), before, 'nothing is changed')
  }

  /** A post to accounts of another workspace gets the same error as one to accounts that do not exist. */
  const failedAlike = async (t: Test, postId: string, account: string) => {
    await service.drain()
    const answer = await api.call({ path: `/v1/posts/${postId}`, key: caller.key })
    await harmless(t, answer, account, [200])
    const error = `No connected account was found for platform x with the id ${account}.`
    t.match(answer.body, {
      status: 'publish_failed',
      publishResults: { x: [{ accountId: account, ok: false, error }] },
    })
    t.same(api.world.sandbox.ledger.posts('x'), [], 'nothing went out')
  }

  for (const operation of operations) {
    const { name, path } = operation

    await t.test(`${name} with the caller’s own ids is let through`, async (t) => {
      const as = path === '/erasures/workspace' ? await givenTenant(api, 'leaving') : bystander
      const answer = await api.call(callOf(operation, { as }))
      await harmless(t, answer, '', [operation.status, 409])
    })

    for (const parameter of operation.parameters) {
      for (const [what, id] of Object.entries(strangeIds(kindOf(path, parameter), victim))) {
        await t.test(`${name} where {${parameter}} is ${what}`, async (t) => {
          const answer = await api.call(callOf(operation, { ids: { [parameter]: id } }))
          await harmless(t, answer, id, [400, 403, 404])
          // A link is looked for among those of its post alone, a comment by its platform's id in its workspace.
          const isForbidden = what === 'another tenant’s' && !['linkId', 'commentId'].includes(parameter)
          t.equal(answer.code === 'forbidden', isForbidden, 'what is not there is not forbidden')
        })
      }
    }

    for (const field of operation.body ? fieldsOf(operation.body) : []) {
      const last = field.at(-1) ?? ''
      const isSelections = last === 'selections'
      // A voice is its provider's, a board its platform's.
      const isOurs =
        last.endsWith('Id') && last !== 'voiceId' && !field.some((name) => /^(?:platform|account)Options$/.test(name))
      if (!isSelections && !isOurs) continue
      const kind = isSelections ? 'accounts' : kindOf(path, last)
      for (const [what, id] of Object.entries(strangeIds(kind, victim))) {
        await t.test(`${name} where ${field.join('.')} holds an id that is ${what}`, async (t) => {
          const call = callOf(operation)
          const answer = await api.call({
            ...call,
            body: withAt(call.body, field, isSelections ? { [platformFor(path)]: [id] } : id),
          })
          // Accounts are looked at when the post is published (api-spec §4, Posts, rule 2), everything else at once.
          await harmless(t, answer, id, isSelections ? [operation.status, 400] : [400, 403, 404])
          if (isSelections && answer.body['runId'] !== undefined) await failedAlike(t, String(answer.body['runId']), id)
        })
      }
    }

    if (operation.isPaged) {
      const list = path.slice(1)
      // Before the first of its list.
      const at = SOONEST_FIRST.includes(list) ? '2000-01-01T00:00:00.000Z' : '2100-01-01T00:00:00.000Z'
      const place = { at, id: BY_REVISION.includes(list) ? '-1' : (victim.ids[list] ?? '') }
      const cursorOf = ({ workspaceId }: Tenant) =>
        RANKED[list] === undefined
          ? cursors.encode(list, workspaceId, place)
          : cursors.encodeRank(RANKED[list], workspaceId, { value: 1e15, id: place.id })
      const [own, theirs] = [cursorOf(bystander), cursorOf(victim)]
      const call = callOf(operation)
      for (const [what, cursor] of Object.entries({ 'another tenant’s': theirs, 'an id': place.id })) {
        await t.test(`${name} where the cursor is ${what}`, async (t) => {
          await harmless(t, await api.call({ ...call, path: `${call.path}?cursor=${cursor}` }), cursor, [400])
        })
      }
      // A list of one thing's parts has nothing before its first.
      if (path.includes('{')) continue
      await t.test(`${name} in full shows the caller’s own`, async (t) => {
        for (const query of ['?limit=100', `?limit=100&cursor=${own}`]) {
          const answer = await api.call({ ...callOf(operation, { as: bystander }), path: `/v1${path}${query}` })
          await harmless(t, answer, '', [200])
          t.match(answer.text, bystander.ids[list])
        }
      })
    }
  }

  t.ok(cases >= 30, `${cases} cases`)
  const logged = api.logged.join('')
  t.same(
    [...victim.texts, victim.ids['posts'] ?? ''].filter((text) => logged.includes(text)),
    [],
    'nor does the log tell',
  )
})
