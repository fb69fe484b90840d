import t, { type Test } from 'tap'
import * as z from 'zod'
import { arrivals, withoutSecrets } from '../app/cli/move/arrival.ts'
import { createCursors } from '../api/http/pagination.ts'
import { createWorkspace } from '../commands/create-workspace.ts'
import { handle } from '../commands/handle.ts'
import { setApprovalPolicy } from '../commands/set-approval-policy.ts'
import type { ApprovalPolicy } from '../domain/workspace/approval-policy.ts'
import { scopesOf, type UserRole } from '../domain/workspace/role.ts'
import { workspace } from '../domain/workspace/workspace.ts'
import { START } from '../event-log/event-log.ts'
import { isoTime } from '../infra/runtime/clock.ts'
import { CURSOR_KEY, givenApi } from './support/api.ts'
import { PACE } from './support/comments.ts'
import { givenUser, signIn, unsigned } from './support/dashboard.ts'
import { dyingLog } from './support/dying-log.ts'
import { readUntilCaughtUp } from './support/event-log-helpers.ts'
import { causedBy, givenProcess } from './support/world.ts'

/* How a client reviews a post without a login: by a link to this post alone. */

const HOUR = 3_600_000
const DAY = 24 * HOUR
const linkSchema = z.object({ id: z.string(), link: z.url(), expiresAt: z.string(), mayDecide: z.boolean() })

const lookCall = (token: string) => unsigned('/review-link', { token })
const reviewCall = (token: string, given: object) =>
  unsigned('/review', { token, name: 'Clara', version: 1, decision: 'approve', ...given })

const gone = { status: 404, message: /^No such link/ }

async function given(t: Test, policy: ApprovalPolicy = { who: 'authors' }) {
  const api = await givenApi(t)
  const { world } = api
  const { workspaceId } = world
  await handle(world, workspace, workspaceId, causedBy('made'), (state) => createWorkspace(state, { name: 'Bakery' }))
  await handle(world, workspace, workspaceId, causedBy('policy'), (state) => setApprovalPolicy(state, policy))
  const account = await world.account('x')
  const people = Object.fromEntries(
    await Promise.all(
      (['author', 'reviewer', 'manager'] as const).map(async (role: UserRole) => {
        const { id, name } = await givenUser(api, `${role}@bakery.test`, workspaceId, role)
        return [role, { id, page: await signIn(api, name) }] as const
      }),
    ),
  ) as Record<'author' | 'reviewer' | 'manager', { id: string; page: Awaited<ReturnType<typeof signIn>> }>
  const call = (as: keyof typeof people, method: string, path: string, body?: object, idempotencyKey?: string) =>
    people[as].page.call({
      ...{ method, path: `/v1${path}`, ...(body && { body }) },
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    })
  const content = (caption: string) => ({
    ...{ mediaUrl: `${world.sandbox.url}/media/sample.jpg`, mediaType: 'image', caption, selections: { x: [account] } },
  })
  const submit = async (caption: string, inHours?: number, as: keyof typeof people = 'author') => {
    const scheduledFor = isoTime(world.clock.now() + (inHours ?? 0) * HOUR)
    const made = await (inHours === undefined
      ? call(as, 'POST', '/posts', content(caption))
      : call(as, 'POST', '/posts/scheduled', { ...content(caption), scheduledFor }))
    return String(made.body['id'])
  }
  const share = async (id: string, body: object = {}, as: keyof typeof people = 'reviewer') => {
    const answer = await call(as, 'POST', `/approvals/${id}/links`, body)
    if (answer.status !== 201) throw new Error(answer.text)
    const made = linkSchema.parse(answer.body)
    return { ...made, token: new URL(made.link).hash.slice(1) }
  }
  const service = await givenProcess(world, { pace: PACE })
  const run = async () => {
    while ((await service.step()) > 0);
  }
  const live = () => world.sandbox.ledger.posts('x').length
  const approvalOf = async (id: string) => (await call('reviewer', 'GET', `/approvals/${id}`)).body
  return { api, world, account, people, call, submit, share, run, live, approvalOf }
}

t.test('given a link to a post that awaits approval', async (t) => {
  const { api, world, account, people, call, submit, share, run, live, approvalOf } = await given(t)

  await t.test('when a client looks, then they see the post, and no ids or addresses of anything else', async (t) => {
    const id = await submit('Fresh bred', 5)
    await call('author', 'POST', `/approvals/${id}/comments`, { comment: 'Is this right?' })
    await call('author', 'PATCH', `/scheduled-posts/${id}`, { caption: 'Fresh bread' })
    const { id: linkId, token, link, expiresAt } = await share(id, { label: 'Clara, the client' })
    t.match(link, /^https:\/\/fanfare\.test\/review#fnl_/)
    t.equal(Math.round((Date.parse(expiresAt) - world.clock.now()) / DAY), 7)
    t.match(await approvalOf(id), { links: [{ id: linkId, label: 'Clara, the client', mayDecide: true, expiresAt }] })
    const seen = await api.call(lookCall(token))
    t.match(seen, {
      status: 200,
      body: {
        ...{ workspace: { name: 'Bakery' }, mayDecide: true, status: 'awaiting_approval', version: 2 },
        ...{ caption: 'Fresh bread', media: [{ type: 'image' }], accounts: [{ platform: 'X' }] },
        changes: [{ field: 'caption', before: 'Fresh bred', after: 'Fresh bread' }],
        remarks: [{ by: 'author', text: 'Is this right?' }],
      },
    })
    const others = [account, linkId, world.workspaceId, people.author.id, '@bakery.test', 'secretHash', id]
    for (const other of others) t.notOk(seen.text.includes(other), other)
    t.match(await api.call(reviewCall(token, { version: 1 })), { status: 409, message: /was edited since/ })
    t.match(await api.call(reviewCall(token, { version: 1, decision: 'reject' })), { status: 409 })
    t.match(await approvalOf(id), { status: 'awaiting_approval' })
  })

  await t.test(
    'when they comment and approve, then it is published, and their name is with what they said',
    async (t) => {
      const before = live()
      const id = await submit('Now')
      const { id: linkId, token } = await share(id)
      const guest = { kind: 'guest', id: linkId, label: 'Clara' }
      t.match(await api.call(reviewCall(token, { decision: 'comment', comment: 'Nice' })), {
        ...{ status: 200, body: { status: 'awaiting_approval' } },
      })
      t.match(await api.call(reviewCall(token, { decision: 'request-changes', comment: 'Less salt' })), {
        body: { status: 'changes_requested' },
      })
      t.match(await api.call(reviewCall(token, {})), { status: 200, body: { status: 'approved' } })
      t.match(await api.call(lookCall(token)), {
        body: { remarks: [{ by: 'Clara' }, { by: 'Clara' }, { by: 'Clara', decision: 'approved' }] },
      })
      t.match(await approvalOf(id), {
        ...{ status: 'approved', decidedBy: guest },
        remarks: [
          { by: guest, text: 'Nice' },
          { by: guest, text: 'Less salt' },
          { by: guest, decision: 'approved' },
        ],
      })
      await run()
      t.equal(live(), before + 1)
      const published = { status: 409, message: /is being published, or has been published/ }
      t.match(await api.call(lookCall(token)), published)
      t.match(await api.call(reviewCall(token, { decision: 'reject' })), published)

      const history = z
        .object({
          events: z.array(z.looseObject({ type: z.string(), summary: z.string(), data: z.object({}).loose() })),
        })
        .parse((await call('author', 'GET', `/posts/${id}/events`)).body).events
      const said = history.filter(({ type }) => /^(Approval(Decided|Commented)|Review)/.test(type))
      t.match(said, [
        { summary: /^A link to review the post was created/, by: { kind: 'user', id: people.reviewer.id } },
        { summary: 'Commented: Nice.', by: guest },
        { summary: 'Changes were requested: Less salt.', by: guest },
        { summary: 'Approved.', by: guest },
      ])
      t.notOk(JSON.stringify(history).includes('secretHash'))
      const { events } = z
        .object({ events: z.array(z.looseObject({ event: z.string(), data: z.looseObject({}) })) })
        .parse((await call('manager', 'GET', '/events?limit=100&event=approval.decided')).body)
      t.match(
        events.filter(({ event, data }) => event === 'approval.decided' && data['runId'] === id),
        [{ data: { decidedBy: guest } }, { data: { decidedBy: guest } }],
      )
    },
  )

  await t.test('when it is for comments only, then it decides nothing', async (t) => {
    const id = await submit('Look', 5)
    const { token } = await share(id, { mayDecide: false })
    for (const decision of ['approve', 'reject', 'request-changes']) {
      t.match(await api.call(reviewCall(token, { decision, comment: 'x' })), { status: 403, message: /only comment/ })
    }
    t.match(await api.call(reviewCall(token, { decision: 'comment', comment: 'Nice' })), { status: 200 })
    t.match(await approvalOf(id), { status: 'awaiting_approval', remarks: [{ text: 'Nice' }] })
  })

  await t.test('when what they send is not valid, then the answer names the field', async (t) => {
    const { token } = await share(await submit('Bad input', 5))
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ name: ' ' }, /name must not be blank/],
      [{ name: 'x'.repeat(101) }, /name/],
      [{ version: 0 }, /version/],
      [{ decision: 'publish' }, /decision/],
      [{ decision: 'comment' }, /comment must not be blank/],
      [{ decision: 'request-changes', comment: ' ' }, /comment must not be blank/],
      [{ decision: 'comment', comment: 'x'.repeat(2001) }, /comment/],
    ]
    for (const [body, message] of wrong) t.match(await api.call(reviewCall(token, body)), { status: 400, message })
    const origin = { headers: { origin: 'https://elsewhere.test' } }
    t.match(await api.call({ ...lookCall(token), ...origin }), { status: 403 })
    const id = await submit('Bad link', 5)
    for (const [body, message] of [
      [{ days: 0 }, /days must be 1 to 30/],
      [{ days: 31 }, /days must be 1 to 30/],
      [{ label: 'x'.repeat(101) }, /label/],
    ] as const) {
      t.match(await call('reviewer', 'POST', `/approvals/${id}/links`, body), { status: 400, message })
    }
    t.match(await call('author', 'POST', `/approvals/${id}/links`, {}), { status: 403, code: 'insufficient_scope' })
  })

  await t.test('when its time has passed, then a client can only ask for another', async (t) => {
    const id = await submit('Late', 1)
    const { token } = await share(id)
    await world.clock.advanceTo(world.clock.now() + HOUR)
    await run()
    t.match(await api.call(lookCall(token)), { body: { status: 'held' } })
    t.match(await api.call(reviewCall(token, {})), { status: 409, message: /Ask for another time/ })
    t.match(await api.call(reviewCall(token, { decision: 'comment', comment: 'Tomorrow?' })), { status: 200 })
  })
})

t.test('given links that do not work', async (t) => {
  const { api, world, people, call, submit, share, approvalOf } = await given(t)
  const refuses = async (t: Test, token: string, refusal: object) => {
    t.match(await api.call(lookCall(token)), refusal)
    for (const decision of ['approve', 'reject', 'comment']) {
      t.match(await api.call(reviewCall(token, { decision, comment: 'x' })), refusal, decision)
    }
  }

  await t.test('when one is cut off, wrong, or of another kind or post, then it is none', async (t) => {
    const [id, otherId] = [await submit('One', 50), await submit('Other', 50)]
    const [{ token }, { token: other }] = [await share(id), await share(otherId)]
    const [mark, , secret] = token.split('_')
    const [, ulid, , sum] = other.split('_')
    const wrong = ['-', token.slice(0, -1), token.replace('fnl_', 'fni_'), `${mark}_${ulid}_${secret}_${sum}`]
    for (const one of [...wrong, await api.key()]) await refuses(t, one, gone)
    t.match(await api.call(lookCall(token)), { body: { caption: 'One' } })
    t.match(await call('reviewer', 'DELETE', `/approvals/${otherId}/links/${(await share(id)).id}`), { status: 404 })
  })

  await t.test('when it is revoked or expires, then it says so', async (t) => {
    const id = await submit('Revoked', 500)
    const { id: linkId, token } = await share(id)
    const kept = await share(id, { days: 1 })
    const revoke = () => call('reviewer', 'DELETE', `/approvals/${id}/links/${linkId}`)
    t.match([await revoke(), await revoke()], [{ status: 204 }, { status: 204 }])
    await refuses(t, token, { status: 409, message: /was revoked/ })
    t.match(await approvalOf(id), { links: [{ id: kept.id }] })
    await world.clock.advanceTo(Date.parse(kept.expiresAt))
    await refuses(t, kept.token, { status: 409, message: /has expired/ })
    t.same((await approvalOf(id))['links'], [])
  })

  await t.test('when the post is rejected or cancelled, then it says so', async (t) => {
    const [rejected, cancelled] = [await submit('Rejected', 50), await submit('Cancelled', 50)]
    const links = [await share(rejected), await share(cancelled)]
    t.match(await api.call(reviewCall(links[0]?.token ?? '', { decision: 'reject', comment: 'No' })), {
      body: { status: 'rejected' },
    })
    await call('manager', 'DELETE', `/scheduled-posts/${cancelled}`)
    await refuses(t, links[0]?.token ?? '', { status: 409, message: /was rejected/ })
    await refuses(t, links[1]?.token ?? '', { status: 409, message: /was cancelled/ })
    t.match(await call('reviewer', 'POST', `/approvals/${rejected}/links`, {}), { status: 409 })
  })

  await t.test('when another workspace asks, then it shares and revokes nothing of this one', async (t) => {
    const id = await submit('Foreign', 50)
    const { id: linkId } = await share(id)
    await givenUser(api, 'olga')
    const olga = await signIn(api, 'olga')
    for (const [method, path] of [
      ['POST', `/v1/approvals/${id}/links`],
      ['DELETE', `/v1/approvals/${id}/links/${linkId}`],
    ] as const) {
      t.match(await olga.call({ method, path, ...(method === 'POST' && { body: {} }) }), { status: 403 })
    }
    t.match(await approvalOf(id), { links: [{ id: linkId }] })
  })

  await t.test('when there are ten, then another takes revoking one', async (t) => {
    const id = await submit('Ten', 50)
    const links = []
    for (let nth = 0; nth < 10; nth += 1) links.push(await share(id))
    const another = () => call('reviewer', 'POST', `/approvals/${id}/links`, {})
    t.match(await another(), { code: 'resource_exhausted', message: /at most 10/ })
    await call('reviewer', 'DELETE', `/approvals/${id}/links/${links[0]?.id}`)
    t.match(await another(), { status: 201 })
  })

  await t.test('when whoever made it may not decide any longer, then it no longer works', async (t) => {
    const id = await submit('Maker', 50)
    const key = await api.key({ scopes: scopesOf('reviewer') })
    const byKey = await api.call({ method: 'POST', path: `/v1/approvals/${id}/links`, key, body: {} })
    const ofKey = new URL(String(byKey.body['link'])).hash.slice(1)
    const { token } = await share(id)
    t.match(await api.call(lookCall(ofKey)), { status: 200 })
    const { page } = people.manager
    const path = `/v1/users/${people.reviewer.id}`
    t.match(await page.call({ method: 'PATCH', path, body: { role: 'author' } }), { status: 200 })
    await refuses(t, token, { status: 409, message: /can no longer do that/ })
    t.match(await page.call({ method: 'DELETE', path: `/dashboard/api/keys/key_${key.split('_')[1]}` }), {
      status: 204,
    })
    await refuses(t, ofKey, { status: 409, message: /can no longer do that/ })
  })
})

t.test('given a workspace in which everyone needs approval, then nobody shares their own post', async (t) => {
  const { api, call, submit, share } = await given(t, { who: 'everyone' })
  const id = await submit('Mine', 50, 'manager')
  t.match(await call('manager', 'POST', `/approvals/${id}/links`, {}), { status: 403, message: /your own post/ })
  t.match(await call('manager', 'POST', `/approvals/${id}/links`, { mayDecide: false }), { status: 201 })
  const { token } = await share(id)
  const own = await submit('Of an author', 50)
  const ofManager = await share(own, {}, 'manager')
  await call('manager', 'PATCH', `/scheduled-posts/${own}`, { caption: 'Edited by the manager' })
  t.match(await api.call(reviewCall(ofManager.token, { version: 2 })), { status: 403, message: /your own post/ })
  t.match(await api.call(reviewCall(token, {})), { status: 200, body: { status: 'approved' } })
})

t.test(
  'given a workspace that moves, then its links have no hashes in the export, and are revoked there',
  async (t) => {
    const { world, submit, share, call } = await given(t)
    const [id, cancelled] = [await submit('Moves', 50), await submit('Cancelled', 50)]
    const { id: linkId } = await share(id)
    await share(cancelled)
    await call('manager', 'DELETE', `/scheduled-posts/${cancelled}`)
    const exported = (await readUntilCaughtUp(world.log, START)).map(withoutSecrets)
    const created = exported.filter(({ type }) => type === 'ReviewLinkCreated')
    t.match(created, [{ data: { secretHash: '' } }, { data: { secretHash: '' } }])
    const arriving = arrivals(world.clock.now(), { kind: 'cli', id: 'me' })
    exported.forEach(arriving.meet)
    t.match(arriving.after(`post-${id}`, 3), [{ type: 'ReviewLinkRevoked', data: { linkId } }])
    t.same(arriving.after(`post-${cancelled}`, 4), [])
  },
)

t.test(
  'given a process that dies, when the request is repeated, then its answer has the link that works',
  async (t) => {
    for (const moment of ['before', 'after'] as const) {
      const { api, world, submit, approvalOf } = await given(t)
      const id = await submit('Crash', 50)
      const dying = await api.server({
        services: { log: dyingLog(world.log, 0, moment), cursors: createCursors(CURSOR_KEY) },
      })
      const key = await api.key({ scopes: scopesOf('reviewer') })
      const ask = {
        ...{ method: 'POST', path: `/v1/approvals/${id}/links`, key, body: { label: 'Clara' } },
        headers: { 'idempotency-key': 'share' },
      }
      t.match(await dying.call(ask), { status: 500 })
      const answers = [await api.call(ask), await api.call(ask)]
      t.equal(answers[0]?.body['link'], answers[1]?.body['link'])
      t.match(await approvalOf(id), { links: [{ label: 'Clara' }] })
      t.equal(((await approvalOf(id)) as { links: object[] }).links.length, 1)
      const token = new URL(String(answers[0]?.body['link'])).hash.slice(1)
      t.match(await api.call(lookCall(token)), { status: 200 })
      const [, , secret = '?'] = token.split('_')
      const everything = JSON.stringify(await readUntilCaughtUp(world.log, START), (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      )
      t.notOk(everything.includes(secret), 'the log has no secret')
      const { rows } = await world.db.query('select body from service.idempotency_keys')
      t.notOk(JSON.stringify(rows).includes(secret), 'nor what is remembered for repeats')
      const { rows: read } = await world.db.query('select approval from read.scheduled_posts')
      t.notOk(JSON.stringify(read).includes('secretHash'))
    }
  },
)
