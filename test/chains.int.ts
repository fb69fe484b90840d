import t, { type Test } from 'tap'
import { releaseRestored } from '../app/cli/restore/restored.ts'
import type { PlatformKey } from '../domain/core/platform.ts'
import type { FaultScript } from '../packages/sandbox/faults.ts'
import { findPost } from '../projections/models/posts.ts'
import { givenApi } from './support/api.ts'
import { keptLog, searchAll } from './support/restore.ts'
import { givenProcess } from './support/world.ts'

const TAKES_CHAINS = ['bluesky', 'x', 'threads', 'mastodon'] as const
const TAKES_TEXT = ['linkedin', 'facebook'] as const
const ONLY_MEDIA = ['instagram', 'tiktok', 'youtube', 'pinterest'] as const
const TEXTS = [
  'Why our rye bread takes three days.',
  'Day one: the sourdough wakes up.',
  'Day two: patience. https://example.com',
]

async function given(t: Test) {
  const api = await givenApi(t)
  const { world } = api
  const key = await api.key()
  const service = await givenProcess(world)
  const call = (method: string, path: string, body?: object) => api.call({ method, path: `/v1${path}`, key, body })
  const chain = async (selections: object, parts: readonly object[] = TEXTS.map((text) => ({ text }))) => {
    const { body } = await call('POST', '/posts/chain', { parts, selections })
    await service.drain()
    return String(body['id'])
  }
  const result = async (id: string, platform: PlatformKey) => {
    const { body } = await call('GET', `/posts/${id}`)
    const { publishResults } = body as { publishResults: Record<string, Record<string, unknown>[]> }
    return publishResults[platform]?.[0]
  }
  const image = { url: `${world.sandbox.url}/media/sample.jpg`, type: 'image', altText: 'Dough in a bowl' }
  const fault = (script: Partial<FaultScript> & Pick<FaultScript, 'platform' | 'kind'>) =>
    world.sandbox.faults.script({
      ...{ call: 'publish', times: 1, delayMs: 0, retryAfterSeconds: 30, accepted: false },
      ...script,
    })
  /** What the account wrote on a platform, each with the text that it replies to. */
  const written = (platform: PlatformKey) => {
    const { ledger } = world.sandbox
    const posts = ledger.posts(platform)
    const replies = posts.flatMap(({ accountId }) => ledger.commentsOf(platform, accountId))
    const all = [
      ...posts.map(({ id, caption: text, inReplyTo, items = [] }) => ({ id, text, inReplyTo, items: items.length })),
      ...new Map(replies.map(({ id, text, inReplyTo }) => [id, { id, text, inReplyTo, items: 0 }])).values(),
    ]
    return all.map(({ text, inReplyTo, items }) => ({
      ...{ text, items, to: all.find(({ id }) => id === inReplyTo)?.text },
    }))
  }
  return { api, world, service, call, chain, result, image, fault, written }
}

for (const platform of TAKES_CHAINS) {
  t.test(`given an account on ${platform}`, async (t) => {
    const { world, service, call, chain, result, image, fault, written } = await given(t)
    const selections = { [platform]: [await world.account(platform)] }
    const [first = '', second = '', third = ''] = TEXTS

    await t.test('when a text is published, then it needs no media', async (t) => {
      const id = await chain(selections, [{ text: first }])
      t.match(await result(id, platform), { ok: true, postId: String, url: String, parts: undefined })
      t.match((await call('GET', `/posts/${id}`)).body, {
        ...{ status: 'published', caption: first, mediaType: 'text', mediaUrl: '', media: [], parts: undefined },
      })
      t.same(written(platform), [{ text: first, items: 0, to: undefined }])
      t.match(await call('POST', `/posts/${id}/unpublish`), { status: 200 })
      await service.drain()
      t.same(written(platform), [])
    })

    await t.test('when a chain is published, then each part is a reply to the one before', async (t) => {
      const id = await chain(selections)
      const { postId, url, parts } = { ...(await result(id, platform)) }
      t.match(parts, [{ postId, url }, { postId: String }, { postId: String }])
      t.same(written(platform), [
        { text: first, items: 0, to: undefined },
        { text: second, items: 0, to: first },
        { text: third, items: 0, to: second },
      ])
      t.match((await call('GET', `/posts/${id}`)).body, {
        summary: { succeeded: 1, failed: 0, pending: 0 },
        parts: TEXTS.map((text) => ({ text, media: [] })),
      })
      const { body } = await call('GET', `/posts/${id}/events?limit=100`)
      t.match(JSON.stringify(body), /Part 3 of 3 was published on/)
    })

    await t.test('when it is unpublished, then all of its parts are deleted', async (t) => {
      const { body } = await call('GET', '/posts')
      const [{ id }] = body['posts'] as [{ id: string }]
      await call('POST', `/posts/${id}/unpublish`)
      await service.drain()
      t.match(await result(id, platform), { unpublish: { status: 'unpublished' } })
      t.same(written(platform), [])
    })

    await t.test('when a part has an image, then the image is with that part', async (t) => {
      const id = await chain(selections, [{ text: 'One' }, { text: 'Two', media: [image] }, { text: 'Three' }])
      t.match(await result(id, platform), { ok: true, parts: { length: 3 } })
      const { ledger } = world.sandbox
      const [{ accountId = '' } = {}] = ledger.posts(platform)
      const stored = [...ledger.posts(platform), ...ledger.commentsOf(platform, accountId)].map((row) =>
        JSON.stringify(row),
      )
      t.same(
        stored.filter((row) => /image/.test(row)).map((row) => /One|Two|Three/.exec(row)?.[0]),
        ['Two'],
      )
      await call('POST', `/posts/${id}/unpublish`)
      await service.drain()
    })

    await t.test('when a response is lost, then the part is found, and the chain goes on', async (t) => {
      fault({ platform, kind: 'accept_then_timeout' })
      fault({ platform, kind: 'accept_then_timeout', call: platform === 'bluesky' ? 'reply' : 'publish' })
      const id = await chain(selections)
      t.match(await result(id, platform), { ok: true, parts: { length: 3 } })
      t.same(
        written(platform).map(({ text }) => text),
        TEXTS,
      )
      await call('POST', `/posts/${id}/unpublish`)
      await service.drain()
    })

    await t.test('when a part fails, then a retry goes on with it', async (t) => {
      const { body } = await call('POST', '/posts/chain', { parts: TEXTS.map((text) => ({ text })), selections })
      const id = String(body['id'])
      while (written(platform).length === 0) await service.step()
      fault({ platform, kind: 'reject', call: platform === 'bluesky' ? 'reply' : 'publish' })
      await service.drain()
      t.match(await result(id, platform), { ok: false, error: /^Part 2 of 3: /, parts: { length: 1 } })
      t.match((await call('GET', `/posts/${id}`)).body, { status: 'publish_failed', summary: { failed: 1 } })
      t.match(await call('POST', `/posts/${id}/duplicate`, { accounts: 'failed' }), { status: 409 })
      world.sandbox.faults.clear()
      t.match(await call('POST', `/posts/${id}/retry`, { platform }), { status: 200 })
      await service.drain()
      t.match(await result(id, platform), { ok: true, parts: { length: 3 } })
      t.same(
        written(platform).map(({ to }) => to),
        [undefined, first, second],
      )
    })

    await t.test(
      'when a part fails for good, then the parts before it can be deleted, and a retry begins again',
      async (t) => {
        const { body: earlier } = await call('GET', '/posts')
        for (const { id } of earlier['posts'] as { id: string }[]) await call('POST', `/posts/${id}/unpublish`)
        await service.drain()
        const { body } = await call('POST', '/posts/chain', { parts: TEXTS.map((text) => ({ text })), selections })
        const id = String(body['id'])
        while (written(platform).length === 0) await service.step()
        fault({ platform, kind: 'reject', call: platform === 'bluesky' ? 'reply' : 'publish' })
        await service.drain()
        world.sandbox.faults.clear()
        t.match(await call('POST', `/posts/${id}/unpublish`), { status: 200 })
        t.match(
          await call('POST', `/posts/${id}/retry`, { platform }),
          { status: 409 },
          'not while it is being deleted',
        )
        await service.drain()
        t.match(await result(id, platform), { ok: false, parts: { length: 1 }, unpublish: { status: 'unpublished' } })
        t.same(written(platform), [])
        t.match(await call('POST', `/posts/${id}/unpublish`), { status: 409 }, 'nothing is left')
        t.match(await call('POST', `/posts/${id}/retry`, { platform }), { status: 200 })
        await service.drain()
        t.match(await result(id, platform), { ok: true, parts: { length: 3 } })
        t.same(
          written(platform).map(({ text, to }) => ({ text, to })),
          [
            { text: first, to: undefined },
            { text: second, to: first },
            { text: third, to: second },
          ],
        )
      },
    )
    await t.test('when a text has a first comment, then it is under it, and a chain with one is refused', async (t) => {
      const before = written(platform).length
      const platformOptions = { [platform]: { firstComment: 'Read on: https://example.com' } }
      const body = { parts: [{ text: 'A text' }], selections, platformOptions }
      const { body: queued } = await call('POST', '/posts/chain', body)
      await service.drain()
      const id = String(queued['id'])
      t.match(await result(id, platform), { ok: true, firstComment: { ok: true }, parts: undefined })
      const comment = { text: 'Read on: https://example.com', items: 0, to: 'A text' }
      t.match(
        written(platform).find(({ to }) => to === 'A text'),
        comment,
      )
      await call('POST', `/posts/${id}/unpublish`)
      await service.drain()
      t.equal(written(platform).length, before, 'it is deleted with the post')

      const chained = { ...body, parts: [{ text: 'One' }, { text: 'Two' }] }
      const problem = 'A chain has no first comment: leave out firstComment, or make it the last part.'
      t.match((await call('POST', '/posts/chain/preview', chained)).body, { previews: [{ problems: [problem] }] })
      const refused = await call('POST', '/posts/chain', chained)
      await service.drain()
      t.match(await result(String(refused.body['id']), platform), { ok: false, error: problem })
      const long = { ...body, platformOptions: { [platform]: { firstComment: 'long '.repeat(200) } } }
      const previewed = await call('POST', '/posts/chain/preview', long)
      t.match(previewed.body, { previews: [{ problems: [/^First comment: .* (?:999|1000)/] }] })
      t.equal(written(platform).length, before)
    })

    await t.test('when a later part breaks a rule, then nothing is published', async (t) => {
      const before = written(platform).length
      const parts = [{ text: 'Short' }, { text: 'long '.repeat(200) }]
      const preview = await call('POST', '/posts/chain/preview', { parts, selections })
      t.match(preview.body, { previews: [{ caption: 'Short', problems: [/^Part 2: /] }] })
      t.match(await result(await chain(selections, parts), platform), { ok: false, error: /Part 2: / })
      t.equal(written(platform).length, before)
    })
  })
}

t.test('given an account on Threads', async (t) => {
  const { world, service, call, chain, result, image, written } = await given(t)
  const { ledger } = world.sandbox
  const selections = { threads: [await world.account('threads')] }

  await t.test('when a chain has options and a carousel, then each is with its part', async (t) => {
    const parts = [{ text: 'One' }, { text: 'Two', media: [image, image] }]
    const platformOptions = { threads: { topic: 'Bread', replyControl: 'everyone' } }
    await call('POST', '/posts/chain', { parts, selections, platformOptions })
    await service.drain()
    const [first, second] = ledger.posts('threads')
    t.match(first?.details, { topic_tag: 'Bread', reply_control: 'everyone' })
    t.match(second, { inReplyTo: first?.id, details: { topic_tag: undefined, reply_control: undefined } })
    t.same(
      written('threads').map(({ items }) => items),
      [0, 2],
    )
  })

  await t.test('when replies are not allowed, then the error names the permission', async (t) => {
    const [account] = ledger.accounts('threads')
    if (!account) throw new Error('no account')
    const grantedScopes = 'threads_basic,threads_content_publish'
    ledger.saveAccount({ ...account, secrets: { ...account.secrets, grantedScopes } })
    const failed = { ok: false, error: /^Part 2 of 3: .*threads_manage_replies/, parts: { length: 1 } }
    t.match(await result(await chain(selections), 'threads'), failed)
  })
})

for (const platform of TAKES_TEXT) {
  t.test(`given an account on ${platform}`, async (t) => {
    const { world, service, call, chain, result, fault, written } = await given(t)
    const selections = { [platform]: [await world.account(platform)] }
    const text = TEXTS[2] ?? ''

    await t.test('when a text is published, then it needs no media', async (t) => {
      const id = await chain(selections, [{ text }])
      t.match(await result(id, platform), { ok: true, postId: String, url: String })
      t.same(written(platform), [{ text, items: 0, to: undefined }])
      await call('POST', `/posts/${id}/unpublish`)
      await service.drain()
      t.same(written(platform), [])
    })

    await t.test('when a response is lost, then the post is found, and not sent again', async (t) => {
      fault({ platform, kind: 'accept_then_timeout' })
      const id = await chain(selections, [{ text }])
      t.match(await result(id, platform), { ok: true, postId: String, url: String })
      t.same(written(platform), [{ text, items: 0, to: undefined }])
    })

    await t.test('when a call fails and the post is not there, then it is sent again', async (t) => {
      fault({ platform, kind: 'server_error' })
      const id = await chain(selections, [{ text: 'Another text' }])
      t.match(await result(id, platform), { ok: true })
      t.equal(written(platform).length, 2)
    })

    await t.test('when a chain is published, then it is refused', async (t) => {
      t.match(await result(await chain(selections), platform), { ok: false, error: / has no chains/ })
      t.equal(written(platform).length, 2)
    })
  })
}

t.test('given a page on LinkedIn', async (t) => {
  const { world, service, call, chain, result, written } = await given(t)
  const selections = { linkedin: [await world.account('linkedin')] }

  await t.test('when a text has a title, then the title is refused', async (t) => {
    const platformOptions = { linkedin: { title: 'Rye' } }
    const { body } = await call('POST', '/posts/chain', {
      parts: [{ text: 'Only words' }],
      selections,
      platformOptions,
    })
    await service.drain()
    t.match(await result(String(body['id']), 'linkedin'), { ok: false, error: /title only with a video or one image/ })
    t.same(written('linkedin'), [])
  })

  await t.test('when the same text is published twice at once, then LinkedIn refuses the second', async (t) => {
    t.match(await result(await chain(selections, [{ text: 'Only words' }]), 'linkedin'), { ok: true })
    const id = await chain(selections, [{ text: 'Only words' }])
    t.match(await result(id, 'linkedin'), { ok: false, error: /duplicate/ })
    t.equal(written('linkedin').length, 1)
  })
})

for (const platform of TAKES_CHAINS) {
  for (const isScheduled of [false, true]) {
    const kind = isScheduled ? 'a scheduled chain' : 'a chain'
    t.test(
      `given ${kind} on ${platform} and a log that ends before any event of it, when it is restored`,
      async (t) => {
        const { world, service, call, written } = await given(t)
        const selections = { [platform]: [await world.account(platform)] }
        const scheduledFor = new Date(world.clock.now() + 3_600_000).toISOString()
        const due = isScheduled ? { scheduledFor } : {}
        const { body } = await call('POST', '/posts/chain', {
          parts: TEXTS.map((text) => ({ text })),
          selections,
          ...due,
        })
        const id = String(body['id'])
        if (isScheduled) await world.clock.advanceTo(world.clock.now() + 3_600_001)
        await service.drain()
        const before = written(platform)
        const { rows } = await world.db.query<{ position: string }>(
          'select position from log.events where stream = $1 order by position',
          [`post-${id}`],
        )
        const kept = await keptLog(t, world)
        // The first one is there: what nobody knows of cannot be looked for.
        for (const { position } of rows) {
          const restored = await kept.restoreTo(BigInt(position))
          const held = await givenProcess(restored)
          await searchAll(restored, held)
          await releaseRestored(held.core, {})
          await held.drain()
          const row = await findPost(world.db, id)
          t.same(written(platform), before, `nothing is sent twice, back at ${position}`)
          t.match(
            row?.results[platform],
            [{ ok: true, parts: { length: 3 } }],
            `all parts are known, back at ${position}`,
          )
        }
      },
    )
  }
}

t.test('given a chain whose texts differ by platform', async (t) => {
  const { world, service, call, chain, result, written } = await given(t)
  const selections = { bluesky: [await world.account('bluesky')], x: [await world.account('x')] }
  const parts = [
    { text: 'One', textOverrides: { x: '1' } },
    { text: 'Two', textOverrides: { x: '2' } },
  ]
  const texts = (platform: PlatformKey) => written(platform).map(({ text }) => text)

  await t.test('when it is previewed, then each text is checked by the rules of its platform', async (t) => {
    const preview = async (text: string, onX: string) => {
      const given = [parts[0], { text, textOverrides: { x: onX } }]
      const { body } = await call('POST', '/posts/chain/preview', { parts: given, selections })
      return body['previews']
    }
    t.match(await preview('x'.repeat(299), '2'), [
      { platform: 'bluesky', caption: 'One', problems: [] },
      { platform: 'x', caption: '1', problems: [] },
    ])
    t.match(await preview('Two', 'x'.repeat(281)), [
      { platform: 'bluesky', problems: [] },
      { platform: 'x', problems: [/^Part 2: .*280/] },
    ])
  })

  await t.test('when it is published, then each platform has its own, and so has a duplicate', async (t) => {
    const id = await chain(selections, parts)
    t.match(await result(id, 'x'), { ok: true, parts: { length: 2 } })
    t.same(
      [texts('bluesky'), texts('x')],
      [
        ['One', 'Two'],
        ['1', '2'],
      ],
    )
    t.match((await call('GET', `/posts/${id}`)).body, { caption: 'One', captionOverrides: { x: '1' }, parts })
    const { body } = await call('POST', `/posts/${id}/duplicate`, { selections: { x: selections.x } })
    t.match((await call('GET', `/posts/${String(body['id'])}`)).body, { parts })
  })

  await t.test('when it is edited before its time, then it has the new ones', async (t) => {
    const scheduledFor = new Date(world.clock.now() + 3_600_000).toISOString()
    const { body } = await call('POST', '/posts/chain', { parts, selections, scheduledFor })
    const path = `/scheduled-posts/${String(body['id'])}`
    await service.step()
    t.match((await call('GET', path)).body, { parts })
    t.match((await call('PATCH', path, { selections: { x: selections.x } })).body, { parts })
    // X does not take the same text twice.
    const other = [
      { text: 'Uno', textOverrides: { x: 'I' } },
      { text: 'Due', textOverrides: { x: 'II' } },
    ]
    t.match((await call('PATCH', path, { parts: other })).body, { parts: other })
    await world.clock.advanceTo(world.clock.now() + 3_700_000)
    await service.drain()
    t.same(texts('x').slice(-2), ['I', 'II'])
  })
})

t.test('given accounts on platforms that only take media', async (t) => {
  const { world, call, chain, result } = await given(t)
  const selections: Record<string, string[]> = {}
  for (const platform of ONLY_MEDIA) selections[platform] = [await world.account(platform)]

  await t.test('when a text is previewed or published, then each says so', async (t) => {
    const parts = [{ text: 'Only words' }]
    const { body } = await call('POST', '/posts/chain/preview', { parts, selections })
    const previews = body['previews'] as readonly object[]
    t.equal(previews.length, ONLY_MEDIA.length)
    for (const preview of previews) t.match(preview, { problems: [/ takes no posts of text alone\.$/] })
    const id = await chain(selections, parts)
    for (const platform of ONLY_MEDIA) t.match(await result(id, platform), { ok: false, error: /text alone/ })
  })
})

t.test('given the API', async (t) => {
  const { world, service, call, chain, result } = await given(t)
  const selections = { bluesky: [await world.account('bluesky')] }

  await t.test('when a chain has faults, then all are named', async (t) => {
    const refused = (body: object, path: string, message: RegExp) =>
      call('POST', '/posts/chain', body).then((answer) =>
        t.match(answer, { status: 400, code: 'invalid_request', body: { error: { details: [{ path, message }] } } }),
      )
    await refused({ selections }, 'parts', /required/)
    await refused({ selections, parts: [] }, 'parts', /must not be empty/)
    await refused({ selections, parts: [{ text: 'a' }, { text: ' ' }] }, 'parts[1].text', /is required, or media/)
    await refused({ selections, parts: Array(26).fill({ text: 'a' }) }, 'parts', /more than 25/)
    await refused({ parts: [{ text: 'a' }] }, 'selections', /required/)
    await refused({ selections, parts: [{ text: 'a' }], scheduledFor: 'soon' }, 'scheduledFor', /next-slot/)
    await refused({ selections, parts: [{ text: 'a' }], time: '10:00' }, 'date', /is required, or scheduledFor/)
  })

  await t.test('when a chain is scheduled, then it can be edited by its parts until it is published', async (t) => {
    const parts = [{ text: 'One' }, { text: 'Two' }]
    const scheduledFor = new Date(world.clock.now() + 3_600_000).toISOString()
    const made = await call('POST', '/posts/chain', { parts, selections, scheduledFor })
    t.match(made, { status: 202, body: { queued: false, scheduledAtUtc: scheduledFor } })
    const id = String(made.body['id'])
    await service.step()
    t.match((await call('GET', `/scheduled-posts/${id}`)).body, { parts: [{ text: 'One' }, { text: 'Two' }] })
    const alone = await call('PATCH', `/scheduled-posts/${id}`, { caption: 'No' })
    t.match(alone, { status: 400, message: /caption cannot be changed alone: pass all parts in parts/ })
    const edited = await call('PATCH', `/scheduled-posts/${id}`, { parts: [...parts, { text: 'Three' }] })
    t.match(edited, { status: 200, body: { caption: 'One', parts: { length: 3 } } })
    await world.clock.advanceTo(world.clock.now() + 3_700_000)
    await service.drain()
    t.match(await result(id, 'bluesky'), { ok: true, parts: { length: 3 } })
  })

  await t.test('when a text is scheduled, then its captions are edited like those of a post with media', async (t) => {
    const scheduledFor = new Date(world.clock.now() + 3_600_000).toISOString()
    const made = await call('POST', '/posts/chain', { parts: [{ text: 'One' }], selections, scheduledFor })
    const path = `/scheduled-posts/${String(made.body['id'])}`
    await service.step()
    const shown = { mediaType: 'text', parts: undefined }
    const captionOverrides = { bluesky: 'Uno' }
    t.match((await call('PATCH', path, { captionOverrides })).body, { ...shown, caption: 'One', captionOverrides })
    t.match((await call('PATCH', path, { caption: 'Two' })).body, { ...shown, caption: 'Two', captionOverrides })
    t.match((await call('PATCH', path, { caption: 'Three', captionOverrides: {} })).body, {
      ...shown,
      caption: 'Three',
      captionOverrides: { bluesky: undefined },
    })
    t.match(await call('PATCH', path, { caption: ' ' }), { status: 400, message: /^parts\[0\]\.text is required/ })
    t.match(await call('PATCH', path, { hashtags: ['rye'] }), {
      status: 400,
      message: /hashtags cannot be changed alone/,
    })
    await world.clock.advanceTo(world.clock.now() + 3_700_000)
    await service.drain()
    t.match(await result(String(made.body['id']), 'bluesky'), { ok: true })
  })

  await t.test('when the same chain is sent again, then it is refused where that is asked for', async (t) => {
    await chain(selections)
    const again = { parts: TEXTS.map((text) => ({ text })), selections, allowDuplicate: false }
    t.match(await call('POST', '/posts/chain', again), { status: 409, code: 'failed_precondition' })
    const other = { ...again, parts: [...again.parts.slice(0, 2), { text: 'Another end' }] }
    t.match(await call('POST', '/posts/chain', other), { status: 202 })
  })
})
