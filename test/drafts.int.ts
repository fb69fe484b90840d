import t, { type Test } from 'tap'
import * as z from 'zod'
import { parseStreamName, streamName } from '../domain/core/event.ts'
import { draft } from '../domain/post/draft.ts'
import { givenApi } from './support/api.ts'
import { mcpClient } from './support/mcp.ts'
import { givenProcess } from './support/world.ts'

const listSchema = z.object({ drafts: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() })
const postsSchema = z.object({ posts: z.array(z.object({ id: z.string() })) })

async function givenDrafts(t: Test) {
  const api = await givenApi(t)
  const key = await api.key()
  const account = await api.world.account('facebook')
  const call = (method: string, path: string, body?: object, as = key) =>
    api.call({ method, path: `/v1${path}`, key: as, ...(body && { body }) })
  const save = async (body: object, as = key) => String((await call('POST', '/drafts', body, as)).body['id'])
  const listed = async (as = key) =>
    listSchema.parse((await call('GET', '/drafts', undefined, as)).body).drafts.map(({ id }) => id)
  const posts = async () => postsSchema.parse((await call('GET', '/posts')).body).posts.length
  const media = [
    { url: `${api.world.sandbox.url}/media/sample.jpg`, type: 'image', altText: 'A loaf' },
    { url: `${api.world.sandbox.url}/media/sample.jpg?2`, type: 'image' },
  ]
  const whole = { media, caption: 'Bread', selections: { facebook: [account] } }
  return { api, key, account, call, save, listed, posts, media, whole, service: await givenProcess(api.world) }
}

t.test('given a draft', async (t) => {
  const { api, account, call, save, listed, media } = await givenDrafts(t)
  const id = await save({ caption: 'Fresh from the' })
  const path = `/drafts/${id}`
  const shown = async () => (await call('GET', path)).body
  const eventsOf = async () => (await api.world.log.read(streamName(draft, id))).length

  await t.test('then it is shown with what it has, and listed', async (t) => {
    const { requestId: _, ...saved } = await shown()
    t.match(saved, { id, caption: 'Fresh from the', visibility: 'workspace', createdAt: String, updatedAt: String })
    t.same(Object.keys(saved).toSorted(), ['caption', 'createdAt', 'id', 'updatedAt', 'visibility'])
    t.same(await listed(), [id])
    t.match(await call('POST', '/drafts', {}), { status: 201 }, 'one may be empty')
  })

  await t.test('when it is saved field by field, then the rest stays, and null removes a field', async (t) => {
    await call('PATCH', path, { selections: { facebook: [account] }, hashtags: ['rye'], firstComment: 'First' })
    t.match((await call('PATCH', path, { media })).body, { media, mediaUrl: media[0]?.url, mediaType: 'image' })
    const at = new Date(api.world.clock.now()).toISOString()
    await api.world.clock.advanceTo(api.world.clock.now() + 60_000)
    const other = { mediaUrl: 'https://example.com/a.mp4', mediaType: 'video' }
    const one = (await call('PATCH', path, { ...other, firstComment: null })).body
    t.match(one, { ...other, hashtags: ['rye'], caption: 'Fresh from the', selections: { facebook: [account] } })
    t.notOk('media' in one || 'firstComment' in one)
    t.match((await call('GET', `${path}?at=${at}`)).body, { media, firstComment: 'First' }, 'what it was stays known')
    const none = (await call('PATCH', path, { media: null, caption: null })).body
    t.notOk('mediaUrl' in none || 'mediaType' in none || 'caption' in none)
    t.match(await shown(), { hashtags: ['rye'] })
  })

  await t.test('when it is saved without a change, then nothing is recorded', async (t) => {
    const before = await eventsOf()
    t.match(await call('PATCH', path, { hashtags: ['rye'] }), { status: 200, body: { hashtags: ['rye'] } })
    t.equal(await eventsOf(), before)
  })

  await t.test('when many save it at once, then every one is kept', async (t) => {
    const changes = [{ caption: 'One' }, { firstComment: 'Two' }, { hashtags: ['three'] }, { selections: { x: ['a'] } }]
    const answers = await Promise.all(changes.map((change) => call('PATCH', path, change)))
    t.same(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    t.match(await shown(), Object.assign({}, ...changes))
  })

  await t.test('when a field is wrong, then it is named and nothing changes', async (t) => {
    const before = await shown()
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ mediaUrl: 'ftp://example.com/a' }, /^mediaUrl must be a public URL/],
      [{ media, mediaUrl: 'https://example.com/b.jpg' }, /^mediaUrl must be the url of media\[0\]/],
      [{ media: [] }, /^media must not be empty/],
      [{ selections: {} }, /^selections is required/],
      [{ visibility: 'secret' }, /^visibility/],
      [{ platformOptions: { pinterest: { board: '1' } } }, /^platformOptions/],
    ]
    for (const [body, message] of wrong) {
      t.match(await call('PATCH', path, body), { status: 400, message }, JSON.stringify(body))
      t.match(await call('POST', '/drafts', body), { status: 400, message }, JSON.stringify(body))
    }
    t.same({ ...(await shown()), requestId: '' }, { ...before, requestId: '' })
    t.match(await call('GET', '/drafts/draft_none'), { status: 404 })
  })

  await t.test('when it is deleted, then it is gone', async (t) => {
    t.equal((await call('DELETE', path)).status, 204)
    for (const [method, at] of [
      ['GET', path],
      ['DELETE', path],
      ['PATCH', path],
      ['POST', `${path}/publish`],
    ] as const) {
      t.match(await call(method, at, method === 'PATCH' ? {} : undefined), { status: 404 }, method)
    }
  })
})

t.test('given a private draft, then only its author has it', async (t) => {
  const { api, call, save, listed } = await givenDrafts(t)
  const colleague = await api.key()
  const stranger = await api.key({ workspaceId: 'ws_other' })
  const id = await save({ caption: 'Secret', visibility: 'private' })
  const path = `/drafts/${id}`
  t.same([await listed(), await listed(colleague)], [[id], []])
  for (const as of [colleague, stranger]) {
    for (const [method, at, body] of [
      ['GET', path],
      ['PATCH', path, { caption: 'Mine' }],
      ['DELETE', path],
      ['POST', `${path}/publish`],
      ['POST', `${path}/schedule`, { date: '2099-01-01' }],
    ] as const) {
      const answer = await call(method, at, body, as)
      t.ok(answer.status === 404 || answer.status === 403, `${method} ${at}`)
      t.notMatch(JSON.stringify(answer.body), /Secret/)
    }
  }
  t.match(await call('PATCH', path, { visibility: 'workspace' }), { status: 200 })
  t.same(await listed(colleague), [id])
  t.match(await call('PATCH', path, { caption: 'Ours' }, colleague), { status: 200, body: { caption: 'Ours' } })
  t.match(await call('PATCH', path, { visibility: 'private' }, colleague), { status: 403, message: /Only the author/ })
  t.match(await call('GET', path, undefined, stranger), { status: 403 })
})

t.test('given a draft that is published', async (t) => {
  const { call, save, listed, posts, whole, service, api, key } = await givenDrafts(t)

  await t.test('when something is missing, then it is named, and the draft stays', async (t) => {
    const { selections: _, ...rest } = whole
    const id = await save(rest)
    t.match(await call('POST', `/drafts/${id}/publish`), { status: 400, message: /^selections is required/ })
    t.match(await call('POST', `/drafts/${id}/schedule`, { date: '2020-01-01' }), { status: 400 })
    t.same(await listed(), [id])
    t.equal((await call('DELETE', `/drafts/${id}`)).status, 204)
  })

  await t.test('then it is one post, however often, and no draft any more', async (t) => {
    const id = await save(whole)
    const many = await Promise.all([1, 2, 3, 4].map(() => call('POST', `/drafts/${id}/publish`)))
    const [first] = many
    for (const answer of many) t.match(answer, { status: 202, body: { id: first?.body['id'], draftId: id } })
    await service.drain()
    t.match((await call('GET', `/posts/${String(first?.body['id'])}`)).body, {
      ...{ status: 'published', caption: 'Bread', media: whole.media },
    })
    t.same([await posts(), await listed()], [1, []])
    t.match(await call('GET', `/drafts/${id}`), { status: 200, body: { postId: first?.body['id'] } })
    t.match(await call('PATCH', `/drafts/${id}`, { caption: 'Late' }), { status: 409, message: /is a post already/ })
    t.equal((await call('DELETE', `/drafts/${id}`)).status, 204)
    t.equal((await call('GET', `/posts/${String(first?.body['id'])}`)).status, 200, 'the post stays')
  })

  await t.test(
    'when the process dies between the post and the draft, then another attempt is the same post',
    async (t) => {
      const id = await save({ ...whole, caption: 'Rolls' })
      const { log } = api.world
      const dying = await api.server({
        services: {
          log: {
            ...log,
            append: async (stream, ...rest) => {
              if (parseStreamName(stream).category === draft.category) throw new Error('killed')
              return log.append(stream, ...rest)
            },
          },
        },
      })
      const path = `/v1/drafts/${id}/publish`
      t.equal((await dying.call({ method: 'POST', path, key })).status, 500)
      const before = await posts()
      t.match(await call('POST', `/drafts/${id}/publish`), { status: 202 })
      await service.drain()
      t.equal(await posts(), before)
      t.notOk((await listed()).includes(id))
    },
  )

  await t.test('when it is scheduled, then at that time, and again it is the same', async (t) => {
    const id = await save({ ...whole, caption: 'Later' })
    const due = { date: '2099-05-31', time: '09:00', timezone: 'Europe/Berlin' }
    const answer = await call('POST', `/drafts/${id}/schedule`, due)
    t.match(answer, { status: 201, body: { scheduledAtUtc: '2099-05-31T07:00:00.000Z' } })
    const { requestId: _, ...first } = answer.body
    t.match(await call('POST', `/drafts/${id}/schedule`, { ...due, date: '2099-06-01' }), { status: 201, body: first })
    t.match((await call('GET', `/scheduled-posts/${String(answer.body['id'])}`)).body, { ...due, caption: 'Later' })
  })

  await t.test('when it has no media, then it is the same text as by queueChain', async (t) => {
    const { selections } = whole
    const account = await api.world.account('instagram')
    const both = { ...selections, instagram: [account] }
    const id = await save({ caption: 'Open today', hashtags: ['#rye', 'oven'], selections: both })
    const { body } = await call('POST', `/drafts/${id}/publish`)
    const chain = await call('POST', '/posts/chain', {
      parts: [{ text: 'Open today\n\n#rye #oven' }],
      selections: both,
    })
    await service.drain()
    const shown = async (id: unknown) => {
      const { publishResults, ...post } = (await call('GET', `/posts/${String(id)}`)).body
      t.match(publishResults, {
        facebook: [{ ok: true, postId: String }],
        instagram: [{ ok: false, error: 'Instagram takes no posts of text alone.' }],
      })
      return { ...post, id: '', requestId: '', createdAt: '' }
    }
    t.same(await shown(body['id']), await shown(chain.body['id']))
  })

  await t.test('when a text is scheduled, then it is a text', async (t) => {
    const id = await save({ caption: 'Closed', selections: whole.selections, captionOverrides: {} })
    const { body } = await call('POST', `/drafts/${id}/schedule`, { date: '2099-05-31' })
    t.match((await call('GET', `/scheduled-posts/${String(body['id'])}`)).body, {
      ...{ caption: 'Closed', mediaType: 'text', mediaUrl: '', media: [], time: '09:00' },
    })
  })

  await t.test(
    'when a text has what only a post with media has, then that is named, and the draft stays',
    async (t) => {
      const wrong: readonly (readonly [object, RegExp])[] = [
        [{ caption: ' ' }, /^caption is required, or media/],
        [{ firstComment: 'First' }, /^firstComment is not for a text or a chain/],
        [{ mediaType: 'image' }, /^mediaUrl is required/],
      ]
      for (const [fields, message] of wrong) {
        const id = await save({ caption: 'Words', selections: whole.selections, ...fields })
        t.match(await call('POST', `/drafts/${id}/publish`), { status: 400, message })
        t.match(await call('POST', `/drafts/${id}/schedule`, { date: '2099-05-31' }), { status: 400, message })
        t.match(await call('PATCH', `/drafts/${id}`, { caption: 'Still here' }), { status: 200 })
      }
      const { media: _, ...rest } = whole
      t.match(await call('POST', '/posts', rest), { status: 400, message: /^mediaUrl is required/ })
    },
  )

  await t.test('when its texts differ by platform, then they do in what is published, too', async (t) => {
    const textOverrides = { bluesky: 'Short' }
    const of = { selections: { bluesky: [await api.world.account('bluesky')] }, hashtags: ['rye'] }
    const text = await save({ ...of, caption: 'Long', captionOverrides: textOverrides })
    const parts = [
      { text: 'Long', textOverrides },
      { text: 'Two', textOverrides: { bluesky: '2' } },
    ]
    const chain = await save({ ...of, parts })
    t.match((await call('GET', `/drafts/${chain}`)).body, { captionOverrides: textOverrides, parts })
    t.match((await call('PATCH', `/drafts/${chain}`, { parts: [{ text: 'Long' }, { text: 'Two' }] })).body, {
      parts: [{ textOverrides: undefined }, { textOverrides: undefined }],
    })
    await call('PATCH', `/drafts/${chain}`, { parts })
    for (const [id, later] of [
      [text, undefined],
      [chain, [{ text: 'Long\n\n#rye', textOverrides: { bluesky: 'Short\n\n#rye' } }, parts[1]]],
    ] as const) {
      const { body } = await call('POST', `/drafts/${id}/publish`)
      await service.drain()
      t.match((await call('GET', `/posts/${String(body['id'])}`)).body, {
        ...{
          status: 'published',
          caption: 'Long\n\n#rye',
          captionOverrides: { bluesky: 'Short\n\n#rye' },
          parts: later,
        },
      })
    }
  })

  await t.test('when it is a chain, then it is kept part by part, blank ones too, and published as one', async (t) => {
    const bluesky = await api.world.account('bluesky')
    const selections = { bluesky: [bluesky] }
    const parts = [{ text: 'One', media: whole.media.slice(0, 1) }, { text: '' }]
    const id = await save({ parts, hashtags: ['rye'], selections })
    const path = `/drafts/${id}`
    const shown = async () => (await call('GET', path)).body
    const kept = { text: '', media: { length: 0 } }
    t.match(await shown(), { caption: 'One', mediaType: 'image', parts: [{ text: 'One', media: { length: 1 } }, kept] })
    t.match(await call('POST', `${path}/publish`), { status: 400, message: /^parts\[1\]\.text is required, or media/ })
    t.match((await call('PATCH', path, { caption: 'First' })).body, { parts: [{ text: 'First' }, kept] })
    t.match((await call('PATCH', path, { parts: null })).body, {
      caption: 'First',
      mediaType: 'image',
      parts: undefined,
    })
    const texts = { parts: [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }] }
    t.match((await call('PATCH', path, texts)).body, { ...texts, mediaUrl: undefined, hashtags: ['rye'] })
    const { body } = await call('POST', `${path}/publish`)
    await service.drain()
    t.match((await call('GET', `/posts/${String(body['id'])}`)).body, {
      parts: [{ text: 'One\n\n#rye' }, { text: 'Two' }, { text: 'Three' }],
      publishResults: { bluesky: [{ ok: true, parts: { length: 3 } }] },
    })
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ parts: [] }, /^parts must not be empty/],
      [{ parts: [{ text: 'a' }], caption: 'b' }, /^parts must not be given with caption/],
      [{ parts: Array(26).fill({ text: 'a' }) }, /^parts has more than 25 parts/],
    ]
    for (const [fields, message] of wrong) t.match(await call('POST', '/drafts', fields), { status: 400, message })
  })

  await t.test('when an agent does it, then by its tools', async (t) => {
    const { call } = await mcpClient(t, await api.listen(), { key })
    const { answer } = await call('createDraft', { ...whole, caption: 'By an agent' })
    t.match((await call('publishDraft', { id: answer['id'] })).answer, { draftId: answer['id'], id: /^post_/ })
  })
})

t.test('given the plan of a draft', async (t) => {
  const { api, account, call, save, posts, whole, service } = await givenDrafts(t)
  const shape = z.object({ plan: z.object({ id: z.string(), expiresAt: z.string() }), previews: z.array(z.object({})) })
  const planned = async (id: string) => shape.parse((await call('POST', `/drafts/${id}/preview`)).body).plan

  await t.test('then it is what would be published, and nothing is', async (t) => {
    const id = await save(whole)
    const { body } = await call('POST', `/drafts/${id}/preview`)
    t.match(body, {
      previews: [{ platform: 'facebook', accountId: account, caption: 'Bread', problems: [] }],
      needsApproval: false,
      plan: { id: `plan_${id.slice('draft_'.length)}_` },
    })
    t.equal(await posts(), 0)
    const part = await save({ caption: 'No account' })
    t.match(await call('POST', `/drafts/${part}/preview`), { status: 400, message: /^selections is required/ })
  })

  await t.test('when it is published, also by several at once and again, then it is one post', async (t) => {
    const id = await save({ ...whole, caption: 'Planned' })
    const plan = await planned(id)
    const publish = () => call('POST', `/drafts/${id}/publish`, { plan: plan.id })
    const [first, ...others] = await Promise.all([publish(), publish(), publish()])
    await api.world.clock.advanceTo(Date.parse(plan.expiresAt) + 1)
    for (const answer of [...others, await publish()]) {
      t.match(answer, { status: 202, body: { id: first?.body['id'] } }, 'also once it has expired')
    }
    await service.drain()
    t.equal(await posts(), 1)
  })

  await t.test('when the draft was changed since, then only as it is again', async (t) => {
    const id = await save({ ...whole, caption: 'Before' })
    const plan = (await planned(id)).id
    const other = (await planned(await save({ ...whole, caption: 'Before' }))).id
    await call('PATCH', `/drafts/${id}`, { caption: 'After' })
    const due = { scheduledFor: '2099-01-01T00:00:00Z' }
    for (const wrong of [plan, other, 'plan_none', '']) {
      const refused = { status: 409, message: /not as it was planned/ }
      t.match(await call('POST', `/drafts/${id}/publish`, { plan: wrong }), refused)
      t.match(await call('POST', `/drafts/${id}/schedule`, { ...due, plan: wrong }), refused)
    }
    await call('PATCH', `/drafts/${id}`, { caption: 'Before' })
    t.match(await call('POST', `/drafts/${id}/schedule`, { ...due, plan }), { status: 201 })
  })

  await t.test('when it has expired, then it has to be planned again', async (t) => {
    const id = await save({ ...whole, caption: 'Old' })
    const { id: plan, expiresAt } = await planned(id)
    await api.world.clock.advanceTo(Date.parse(expiresAt))
    const expired = { status: 409, message: `The plan expired at ${expiresAt}. previewDraft plans the draft again.` }
    t.match(await call('POST', `/drafts/${id}/publish`, { plan }), expired)
    t.match(await call('POST', `/drafts/${id}/publish`, { plan: (await planned(id)).id }), { status: 202 })
  })
})
