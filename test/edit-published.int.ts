import t, { type Test } from 'tap'
import { disconnectAccount } from '../commands/disconnect-account.ts'
import { handle } from '../commands/handle.ts'
import { followUpFailed, startFollowUp } from '../commands/follow-up.ts'
import { unpublishPost } from '../commands/unpublish.ts'
import { editPublished } from '../commands/edit-published.ts'
import { account as accountKind } from '../domain/account/account.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../domain/core/platform.ts'
import { post, type PostState } from '../domain/post/post.ts'
import type { FaultScript } from '../packages/sandbox/faults.ts'
import { releaseRestored, restoreStatus } from '../app/cli/restore/restored.ts'
import { editRulesOf } from '../reactors/publishing/edit.ts'
import { givenApi } from './support/api.ts'
import { keptLog, searchAll } from './support/restore.ts'
import { causedBy, givenProcess, givenWorld } from './support/world.ts'

interface Shown {
  readonly status: string
  readonly caption: string
  readonly publishResults: Readonly<Record<string, readonly { edit?: object; unpublish?: object }[]>>
}

async function given(t: Test) {
  const api = await givenApi(t)
  const { world } = api
  const key = await api.key()
  const service = await givenProcess(world)
  const call = (method: string, path: string, body?: object) => api.call({ method, path: `/v1${path}`, key, body })
  const mediaOn = (platform: PlatformKey) => {
    const mediaType = world.platforms[platform].takes.image ? 'image' : 'video'
    return {
      mediaType,
      mediaUrl: `${world.sandbox.url}/media/sample.${mediaType === 'image' ? 'jpg' : 'mp4'}`,
    } as const
  }
  const publish = async (selections: Partial<Record<PlatformKey, string[]>>, caption: string, more: object = {}) => {
    const [platform = 'x'] = Object.keys(selections) as PlatformKey[]
    const id = await service.queue({ selections, ...mediaOn(platform), caption, ...more })
    await service.drain()
    return id
  }
  const edit = (id: string, body: object) => call('POST', `/posts/${id}/edit`, body)
  const shown = async (id: string) => (await call('GET', `/posts/${id}`)).body as unknown as Shown
  const result = async (id: string, platform: PlatformKey) => (await shown(id)).publishResults[platform]?.[0]
  const live = (platform: PlatformKey) => world.sandbox.ledger.posts(platform).map(({ caption }) => caption)
  const types = async (id: string) => {
    const { body } = await call('GET', `/posts/${id}/events?limit=100`)
    const { events } = body as { events: readonly { type: string; summary: string }[] }
    return events.filter(({ type }) => /edit/i.test(type)).map(({ type }) => type)
  }
  const fault = (script: Partial<FaultScript> & Pick<FaultScript, 'platform' | 'kind'>) =>
    world.sandbox.faults.script({
      ...{ call: 'edit', times: 1, delayMs: 0, retryAfterSeconds: 30, accepted: false },
      ...script,
    })
  return { api, world, service, call, publish, edit, shown, result, live, types, fault }
}

t.test('given a published post on each platform', async (t) => {
  const { world, service, publish, edit, shown, result, live, types } = await given(t)
  const editable: readonly PlatformKey[] = [
    'facebook',
    'googlebusiness',
    'linkedin',
    'mastodon',
    'pinterest',
    'youtube',
  ]
  for (const platform of PLATFORM_KEYS) {
    const account = await world.account(platform)
    const id = await publish({ [platform]: [account] }, `Fresh bred on ${platform}`, { hashtags: ['bread'] })
    const caption = `Fresh bread on ${platform}`
    if (editable.includes(platform)) {
      await t.test(`when one on ${platform} is edited, then the account has the new text`, async (t) => {
        t.match(await edit(id, { caption }), { status: 200, body: { id, status: 'published', caption } })
        t.match(await result(id, platform), { ok: true, edit: { status: 'in_progress', at: String } })
        await service.drain()
        t.match(await result(id, platform), { ok: true, edit: { status: 'edited', error: undefined } })
        t.same(live(platform), [`${caption}\n\n#bread`])
        t.match(await shown(id), { status: 'published', caption })
      })

      await t.test(`when one on ${platform} gets the same text again, then nothing is asked`, async (t) => {
        const before = await types(id)
        t.match(await edit(id, { caption }), { status: 200 })
        await service.drain()
        t.same(await types(id), before)
      })
    } else {
      await t.test(`when one on ${platform} is edited, then that is refused, and nothing changes`, async (t) => {
        const message = /^Apps cannot edit posts on .*\. Edit the post there yourself\.$/
        t.match(await edit(id, { caption }), { status: 409, code: 'failed_precondition', message })
        t.match(await shown(id), { caption: `Fresh bred on ${platform}` })
      })
    }
  }
})

t.test('given a post on several platforms', async (t) => {
  const { world, service, call, publish, edit, shown, result, live, types, api } = await given(t)
  const [linkedin, bluesky, facebook] = [
    await world.account('linkedin'),
    await world.account('bluesky'),
    await world.account('facebook'),
  ]

  await t.test('when one of them cannot edit, then its result says so, and where to do it', async (t) => {
    const id = await publish({ linkedin: [linkedin], bluesky: [bluesky] }, 'One')
    await edit(id, { caption: 'Two' })
    await service.drain()
    t.same([live('linkedin'), live('bluesky')], [['Two'], ['One']])
    t.match(await result(id, 'linkedin'), { edit: { status: 'edited' } })
    const error = /^Bluesky does not let apps edit posts\. Edit it on Bluesky yourself: https:/
    t.match(await result(id, 'bluesky'), { edit: { status: 'unsupported', error } })
  })

  await t.test('when only the text of one platform changes, then the others are not asked', async (t) => {
    const id = await publish({ linkedin: [linkedin], facebook: [facebook] }, 'Three')
    await edit(id, { captionOverrides: { facebook: 'Four' } })
    await service.drain()
    t.same(await types(id), ['PostTextEdited', 'EditRequested', 'EditStarted', 'AccountEdited'])
    t.match(await result(id, 'linkedin'), { edit: undefined })
    t.ok(live('facebook').includes('Four'))
  })

  await t.test('when it has failed on one of them, then a retry publishes the new text', async (t) => {
    world.sandbox.faults.script({
      ...{ platform: 'facebook', call: 'publish', kind: 'reject', times: 1 },
      ...{ delayMs: 0, retryAfterSeconds: 30, accepted: false },
    })
    const id = await publish({ linkedin: [linkedin], facebook: [facebook] }, 'Five')
    await edit(id, { caption: 'Six' })
    await service.drain()
    t.match(await call('POST', `/posts/${id}/retry`, { platform: 'facebook' }), { status: 200 })
    await service.drain()
    t.match(await shown(id), { status: 'published', caption: 'Six' })
    t.ok(live('facebook').includes('Six') && live('linkedin').includes('Six'))
  })

  await t.test('when it is unpublished before it was edited, then only that happens', async (t) => {
    const id = await publish({ linkedin: [linkedin] }, 'Seven')
    await edit(id, { caption: 'Eight' })
    await call('POST', `/posts/${id}/unpublish`)
    t.match(await edit(id, { caption: 'Nine' }), { status: 409, message: /being unpublished/ })
    await service.drain()
    t.match(await result(id, 'linkedin'), { unpublish: { status: 'unpublished' }, edit: { status: 'failed' } })
    t.notOk(live('linkedin').some((text) => ['Seven', 'Eight'].includes(text)))
    t.match(await edit(id, { caption: 'Nine' }), { status: 200 }, 'no account has it')
    await service.drain()
    t.match(await result(id, 'linkedin'), { edit: { status: 'failed' } })
  })

  await t.test('when it could not be unpublished before, then it is edited all the same', async (t) => {
    const id = await publish({ linkedin: [linkedin] }, 'Twelve')
    const key = { platform: 'linkedin', accountId: linkedin }
    await handle(world, post, id, causedBy(`unpublish ${id}`), (now) => unpublishPost(now, undefined, () => true))
    await handle(world, post, id, causedBy(`start ${id}`), (now) => startFollowUp(now, 'unpublish', key))
    await handle(world, post, id, causedBy(`fail ${id}`), (now) =>
      followUpFailed(now, 'unpublish', { ...key, attempt: 1 }, 'no'),
    )
    await edit(id, { caption: 'Thirteen' })
    await service.drain()
    t.match(await result(id, 'linkedin'), { unpublish: { status: 'failed' }, edit: { status: 'edited' } })
    t.ok(live('linkedin').includes('Thirteen'))
  })

  await t.test('when the request is wrong, then it is refused, and nothing changes', async (t) => {
    const id = await publish({ linkedin: [linkedin] }, 'Ten')
    t.match(await edit(id, {}), { status: 400, message: /at least one field/ })
    t.match(await edit(id, { mediaUrl: 'https://bread.example/1.jpg' }), { status: 400, message: /mediaUrl/ })
    t.match(await edit(id, { caption: 'x'.repeat(3_001) }), { status: 400, message: /LinkedIn accepts/ })
    const message = /^platformOptions\.linkedin\.visibility: cannot be changed after publishing/
    const platformOptions = { linkedin: { visibility: 'CONNECTIONS' } }
    t.match(await edit(id, { platformOptions }), { status: 400, code: 'invalid_request', message })
    const ofAccount = (options: object, account = linkedin) => edit(id, { accountOptions: { [account]: options } })
    t.match(await ofAccount({ visibility: 'CONNECTIONS' }), {
      status: 400,
      message: /^accountOptions\.acc_\w+\.visib.*: cannot/,
    })
    t.match(await ofAccount({ color: 'red' }), { status: 400, message: /accountOptions\.acc_\w+/ })
    t.match(await ofAccount({}, 'acc_none'), { status: 400, message: /must be the id of an account in selections/ })
    t.match(await edit('post_none', { caption: 'x' }), { status: 404 })
    const key = await api.key({ scopes: ['posts:read'] })
    const path = `/v1/posts/${id}/edit`
    t.match(await api.call({ method: 'POST', path, key, body: { caption: 'x' } }), { status: 403 })
    t.match(await shown(id), { caption: 'Ten' })
    const queued = await call('POST', '/posts', {
      ...{ selections: { linkedin: [linkedin] }, caption: 'Eleven' },
      ...{ mediaType: 'image', mediaUrl: `${world.sandbox.url}/media/sample.jpg` },
    })
    const busy = /still being published on the account acc_/
    t.match(await edit(String(queued.body['id']), { caption: 'x' }), { status: 409, message: busy })
    await service.drain()
  })
})

t.test('given a post whose outcome is unknown, when it is edited, then that is refused', async (t) => {
  const { world, service, edit, result, fault, shown } = await given(t)
  const account = await world.account('facebook')
  fault({ platform: 'facebook', call: 'publish', kind: 'accept_then_timeout' })
  const id = await service.queue({ selections: { facebook: [account] }, caption: 'Bread' })
  await service.step()
  await service.step()
  await handle(world, accountKind, account, causedBy(`disconnect ${account}`), disconnectAccount)
  await service.drain()
  t.match(await result(id, 'facebook'), { ok: false, outcome: 'unknown' })
  const message = /^Whether the account acc_\w+ has this post is unknown/
  t.match(await edit(id, { caption: 'Rye bread' }), { status: 409, code: 'failed_precondition', message })
  t.match(await shown(id), { caption: 'Bread' })
})

t.test('given a video on YouTube, when its title is edited, then what is not given stays', async (t) => {
  const { world, service, publish, edit, result } = await given(t)
  const account = await world.account('youtube')
  const platformOptions = { youtube: { title: 'Bred', tags: ['rye'], categoryId: '26' } }
  const id = await publish({ youtube: [account] }, 'How we bake', { platformOptions })
  await edit(id, { platformOptions: { youtube: { title: 'Bread' } } })
  await service.drain()
  t.match(await result(id, 'youtube'), { edit: { status: 'edited' } })
  t.match(world.sandbox.ledger.posts('youtube'), [
    { caption: 'How we bake', details: { title: 'Bread', tags: ['rye'], categoryId: '26', privacyStatus: 'public' } },
  ])
  const message =
    /^platformOptions\.youtube\.privacy: cannot be changed .* Options that can be: title, description, tags\.$/
  t.match(await edit(id, { platformOptions: { youtube: { privacy: 'private' } } }), { status: 400, message })

  const other = await world.account('youtube')
  const both = await publish({ youtube: [account, other] }, 'How we bake', { platformOptions })
  await edit(both, { accountOptions: { [other]: { title: 'Rye' } } })
  await service.drain()
  const [, ours, theirs] = world.sandbox.ledger.posts('youtube').map(({ details }) => details?.['title'])
  t.same([ours, theirs].toSorted(), ['Bred', 'Rye'], 'of one account alone')
})

t.test('given a platform that fails', async (t) => {
  const { world, service, publish, edit, result, live, types, fault } = await given(t)

  await t.test('when the response is lost, then it is asked again', async (t) => {
    const id = await publish({ facebook: [await world.account('facebook')] }, 'One')
    fault({ platform: 'facebook', kind: 'accept_then_timeout' })
    await edit(id, { caption: 'Two' })
    await service.step()
    t.match(await result(id, 'facebook'), { edit: { status: 'in_progress', nextAttemptAt: String } })
    await service.drain()
    t.match(await result(id, 'facebook'), { edit: { status: 'edited' } })
    t.same(live('facebook'), ['Two'])
  })

  await t.test('when it is edited again meanwhile, then the last text counts', async (t) => {
    const id = await publish({ linkedin: [await world.account('linkedin')] }, 'Three')
    fault({ platform: 'linkedin', kind: 'server_error' })
    await edit(id, { caption: 'Four' })
    await service.step()
    await edit(id, { caption: 'Five' })
    await service.drain()
    t.match(await result(id, 'linkedin'), { edit: { status: 'edited' } })
    t.same(live('linkedin'), ['Five'])
  })

  await t.test('when it refuses, then the result says why, and the same edit can be asked for again', async (t) => {
    const id = await publish({ pinterest: [await world.account('pinterest')] }, 'Six')
    fault({ platform: 'pinterest', kind: 'reject' })
    await edit(id, { caption: 'Seven' })
    await service.drain()
    t.match(await result(id, 'pinterest'), { ok: true, edit: { status: 'failed', error: String } })
    await edit(id, { caption: 'Seven' })
    await service.drain()
    t.match(await result(id, 'pinterest'), { edit: { status: 'edited' } })
    t.same(live('pinterest'), ['Seven'])
    t.equal((await types(id)).filter((type) => type === 'PostTextEdited').length, 1)
  })
})

t.test(
  'given a log that is restored to when a post was being edited, then that goes on after the release',
  async (t) => {
    const world = await givenWorld(t)
    const service = await givenProcess(world)
    const id = await service.queue({ selections: { linkedin: [await world.account('linkedin')] }, caption: 'One' })
    await service.drain()
    const rulesOf = (platform: PlatformKey) => editRulesOf(world.platforms[platform])
    const request = (state: PostState) => editPublished(state, { caption: 'Two' }, rulesOf)
    await handle(world, post, id, causedBy('edit'), request)
    const kept = await keptLog(t, world)
    await service.drain()

    const restored = await kept.restoreTo(kept.positions.at(-1) ?? 0n)
    const held = await givenProcess(restored)
    await searchAll(restored, held)
    t.match((await restoreStatus(held.core)).waiting, [{ id, outcome: 'absent', reason: /being edited/ }])
    t.match(await releaseRestored(held.core, {}), { released: true })
    await held.drain()
    t.same(
      world.sandbox.ledger.posts('linkedin').map(({ caption }) => caption),
      ['Two'],
    )
  },
)
