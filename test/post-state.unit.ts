import t from 'tap'
import type { Metadata } from '../domain/core/event.ts'
import { hasParts, isLive, isQueued, post, type PostState, type QueuedPost, type Target } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { fitted, summaryOf } from '../domain/post/publish-results.ts'

/* What the events of a post make of it, value by value: each field that a later decision or the API reads. */

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const metadata = (second: number): Metadata => ({
  ...{ at: at(second), actor: { kind: 'reactor', id: 'test' }, correlationId: 'c', causationId: 'c' },
})
/** Each event happens a second after the one before. */
const given = (...events: readonly PostEvent[]): PostState =>
  events.reduce((state, event, second) => post.evolve(state, event, metadata(second)), post.initial)
const queuedBy = (...events: readonly PostEvent[]): QueuedPost => {
  const state = given(...events)
  if (!isQueued(state)) throw new Error(`it is ${state.status}`)
  return state
}

const content = {
  workspaceId: 'ws_1',
  mediaUrl: 'https://example.com/a.jpg',
  mediaType: 'image' as const,
  selections: { x: ['acc_1', 'acc_2'], facebook: ['acc_3'] },
  caption: 'Hello',
  captionOverrides: {},
  hashtags: ['one'],
}
const due = { date: '2026-01-02', time: '09:00', timezone: 'Europe/Rome', dueAt: '2026-01-02T08:00:00.000Z' }
const scheduled: PostEvent = { type: 'PostScheduled', data: { ...content, ...due } }
const queued: PostEvent = { type: 'PostQueued', data: { ...content, origin: 'api' } }
const first = { platform: 'x', accountId: 'acc_1', attempt: 1 }
const second = { platform: 'x', accountId: 'acc_2', attempt: 1 }
const published = (of: typeof first, more: object = {}): PostEvent => ({
  type: 'AccountPublished',
  data: { ...of, postId: `of ${of.accountId}`, ...more },
})
const started = (of: typeof first): PostEvent => ({ type: 'PublishStarted', data: of })
const failed = (of: typeof first, more: object = {}): PostEvent => ({
  type: 'AccountPublishFailed',
  data: { ...of, code: 'permanent', error: 'no', ...more },
})

t.test('given a scheduled post', async (t) => {
  const before = { status: 'pending', content, writtenAt: at(0), due, pinned: [], approval: undefined }
  const copy = { url: content.mediaUrl, pinnedUrl: 'https://fanfare.example/a.jpg' }
  const lost = { url: content.mediaUrl, error: 'gone' }
  const pinned = (media: (typeof copy | typeof lost)[]): PostEvent =>
    ({ type: 'PostMediaPinned', data: { media } }) as PostEvent

  await t.test('then it has its content and its time', async (t) => {
    const { approval: _, ...whole } = before
    t.same(given(scheduled), whole)
    t.same(given({ type: 'PostHeld', data: { reason: 'x' } } as unknown as PostEvent), { status: 'absent' })
  })
  await t.test('when it is rescheduled, edited or canceled, then only that changes', async (t) => {
    const later = { ...due, time: '10:00', dueAt: '2026-01-02T09:00:00.000Z' }
    t.same(given(scheduled, { type: 'PostRescheduled', data: later }), { ...before, due: later })
    const edited = { ...content, caption: 'Other' }
    t.same(given(scheduled, { type: 'PostEdited', data: edited }), { ...before, content: edited, writtenAt: at(1) })
    t.same(given(scheduled, { type: 'ScheduleCancelled', data: {} }), { ...before, status: 'cancelled' })
  })
  await t.test(
    'when it is edited, then copies of files that it still has are kept, and failures are not',
    async (t) => {
      t.same(given(scheduled, pinned([copy])), { ...before, pinned: [copy] })
      const edit = (mediaUrl: string): PostEvent => ({ type: 'PostEdited', data: { ...content, mediaUrl } })
      t.match(given(scheduled, pinned([copy]), edit(content.mediaUrl)), { pinned: [copy] })
      t.same((given(scheduled, pinned([copy]), edit('https://example.com/b.jpg')) as typeof before).pinned, [])
      t.same((given(scheduled, pinned([lost]), edit(content.mediaUrl)) as typeof before).pinned, [])
    },
  )
  await t.test('when it is queued, then it was due at its time, with its copies', async (t) => {
    const { dueAt, pinned: kept, queuedAt } = queuedBy(scheduled, pinned([copy]), queued)
    t.same({ dueAt, kept, queuedAt }, { dueAt: due.dueAt, kept: [copy], queuedAt: at(2) })
  })
})

t.test('given a queued post', async (t) => {
  const target = (platform: string, accountId: string) => [
    `${platform}/${accountId}`,
    { platform, accountId, state: { step: 'queued', attempt: 0, attempts: 0 }, published: [] },
  ]
  const whole = {
    ...{
      status: 'processing',
      ...content,
      queuedAt: at(0),
      dueAt: at(0),
      pinned: [],
      refusedPlatforms: [],
      results: {},
    },
    targets: [target('x', 'acc_1'), target('x', 'acc_2'), target('facebook', 'acc_3')],
  }
  const shown = (state: QueuedPost) => ({ ...state, targets: [...state.targets] })

  await t.test('then it has all of its content and nothing else, due when it was requested', async (t) => {
    t.same(shown(queuedBy(queued)), whole)
    const more = {
      ...{ media: [{ url: 'https://example.com/b.jpg', type: 'image' as const }], chain: [{ text: 'Two' }] },
      ...{ firstComment: '', platformOptions: { x: {} }, accountOptions: { acc_1: {} } },
    }
    t.same(shown(queuedBy({ ...queued, data: { ...queued.data, ...more } } as PostEvent)), { ...whole, ...more })
  })
  await t.test('when something of its schedule comes late, then nothing changes', async (t) => {
    for (const type of ['PostRescheduled', 'PostMediaPinned', 'ScheduleCancelled', 'ApprovalDecided', 'PostHeld']) {
      t.same(shown(queuedBy(queued, { type, data: {} } as unknown as PostEvent)), whole, type)
    }
    const unknown = { platform: 'x', accountId: 'acc_9', attempt: 1 }
    t.same(shown(queuedBy(queued, started(unknown))), whole, 'an account that it was not queued for')
  })
  await t.test('when its text is edited, then it has the new one', async (t) => {
    const words = { caption: 'New', captionOverrides: {}, hashtags: [] }
    t.same(shown(queuedBy(queued, { type: 'PostTextEdited', data: words } as PostEvent)), { ...whole, ...words })
  })
  await t.test('when it ends and is retried, then it is processing, due when that was asked for', async (t) => {
    const data = { status: 'publish_failed', okCount: 0, total: 3, results: {} }
    const ended = [queued, started(first), failed(first), { type: 'PostFinished', data }] as PostEvent[]
    t.equal(queuedBy(...ended).status, 'publish_failed')
    const retry: PostEvent = { type: 'RetryRequested', data: { platform: 'x', accountIds: ['acc_1'] } }
    const again = queuedBy(...ended, retry)
    t.match(again, { status: 'processing', dueAt: at(4), results: { x: [] } })
    t.same(again.results, { x: [] }, 'the failure is taken back')
  })
})

t.test('given results', async (t) => {
  await t.test('when accounts settle in any order, then they are listed as selected', async (t) => {
    const { results } = queuedBy(queued, started(second), published(second), started(first), failed(first))
    t.same(results, {
      x: [
        { accountId: 'acc_1', ok: false, error: 'no' },
        { accountId: 'acc_2', ok: true, postId: 'of acc_2' },
      ],
    })
  })
  await t.test('when a platform is refused, then that is its result', async (t) => {
    const refused: PostEvent = { type: 'PlatformRefused', data: { platform: 'nowhere', error: 'no account' } }
    t.match(queuedBy(queued, refused), {
      refusedPlatforms: ['nowhere'],
      results: { nowhere: [{ ok: false, error: 'no account' }] },
    })
  })
  await t.test('then links, notes and unknown outcomes are told only where there are any', async (t) => {
    const more = { url: 'https://x.com/1', note: 'Shortened.' }
    t.same(queuedBy(queued, published(first, more)).results, {
      x: [{ accountId: 'acc_1', ok: true, postId: 'of acc_1', ...more }],
    })
    t.same(queuedBy(queued, failed(first, { code: 'unknown' })).results, {
      x: [{ accountId: 'acc_1', ok: false, error: 'no', outcome: 'unknown' }],
    })
  })
  await t.test('when first comments are posted or fail, then only the account of each tells', async (t) => {
    const both = [queued, published(first), published(second)]
    const one = { accountId: 'acc_1', ok: true, postId: 'of acc_1' }
    const two = { accountId: 'acc_2', ok: true, postId: 'of acc_2' }
    const posted: PostEvent = { type: 'FirstCommentPosted', data: first }
    t.same(queuedBy(...both, posted).results, { x: [{ ...one, firstComment: { ok: true } }, two] })
    const not: PostEvent = { type: 'FirstCommentFailed', data: { ...second, error: 'closed' } }
    t.same(queuedBy(...both, not).results, { x: [one, { ...two, firstComment: { ok: false, error: 'closed' } }] })
    const unpublish = { type: 'UnpublishFailed', data: { ...first, error: 'busy' } } as PostEvent
    const told = { status: 'failed', at: at(3), error: 'busy' }
    t.same(queuedBy(...both, unpublish).results, { x: [{ ...one, unpublish: told }, two] })
    const never = { type: 'UnpublishFailed', data: { ...first, error: 'busy' } } as PostEvent
    t.same(queuedBy(queued, failed(first), never).results, { x: [{ accountId: 'acc_1', ok: false, error: 'no' }] })
  })
  await t.test('when one account of several is retried, then the others keep theirs', async (t) => {
    const retry: PostEvent = { type: 'RetryRequested', data: { platform: 'x', accountIds: ['acc_2'] } }
    const { results } = queuedBy(queued, failed(first), failed(second), retry)
    t.same(results, { x: [{ accountId: 'acc_1', ok: false, error: 'no' }] })
  })
  await t.test('then they are counted, an unknown platform as one account', async (t) => {
    const selections = { x: ['acc_1', 'acc_2', 'acc_2'], nowhere: ['a', 'b'], tiktok: [], constructor: ['c'] }
    t.same(summaryOf(selections, {}), { succeeded: 0, failed: 0, pending: 5 })
    const results = {
      x: [{ accountId: 'acc_1', ok: true as const, postId: '1' }],
      nowhere: [{ ok: false as const, error: 'e' }],
    }
    t.same(summaryOf(selections, results), { succeeded: 1, failed: 1, pending: 3 })
  })
})

t.test('given a chain of three parts', async (t) => {
  const [one, two, three] = ['1', '2', '3'].map((postId) => ({ postId, url: `https://x.com/${postId}` })) as [
    { postId: string; url: string },
    { postId: string; url: string },
    { postId: string; url: string },
  ]
  const part = (...done: (typeof one)[]) => published(first, { ...done.at(-1), chain: { parts: 3, published: done } })
  const chain = (...done: (typeof one)[]) => ({ chain: { parts: 3, published: done } })
  const targetOf = (...events: readonly PostEvent[]): Target => {
    const target = queuedBy(queued, ...events).targets.get('x/acc_1')
    if (!target) throw new Error('it is gone')
    return target
  }

  await t.test('then the account has a result when the last part is published, under the first', async (t) => {
    t.same(queuedBy(queued, part(one), part(one, two)).results, {})
    t.same(queuedBy(queued, part(one), part(one, two), part(one, two, three)).results, {
      x: [{ accountId: 'acc_1', ok: true, ...one, parts: [one, two, three] }],
    })
  })
  await t.test('when a part fails, then the result names it, and has those before', async (t) => {
    t.same(queuedBy(queued, part(one), failed(first, chain(one))).results, {
      x: [{ accountId: 'acc_1', ok: false, error: 'Part 2 of 3: no', parts: [one] }],
    })
    t.same(queuedBy(queued, failed(first, chain())).results, {
      x: [{ accountId: 'acc_1', ok: false, error: 'Part 1 of 3: no' }],
    })
  })
  await t.test('then it has parts until they are deleted, and is live only as a whole', async (t) => {
    const failedAfterOne = [part(one), started(first), failed(first, chain(one))]
    t.ok(hasParts(targetOf(...failedAfterOne)))
    t.notOk(isLive(targetOf(...failedAfterOne).state))
    t.notOk(hasParts(targetOf(started(first), failed(first, chain()))))
    t.notOk(hasParts(targetOf(started(first))))
    const unpublished = { type: 'AccountUnpublished', data: first } as PostEvent
    const gone = targetOf(...failedAfterOne, unpublished)
    t.same(gone.published, [], 'a retry begins with the first part')
    t.notOk(hasParts(gone))
    const whole = [part(one), part(one, two), part(one, two, three)]
    t.ok(isLive(targetOf(...whole).state))
    t.ok(hasParts(targetOf(...whole)))
    t.notOk(isLive(targetOf(...whole, unpublished).state))
    t.same(targetOf(...whole, unpublished).published, [one, two, three])
  })
})

t.test('given results too long for an event, then words go first, then links, then all but the counts', async (t) => {
  const long = 'e'.repeat(2_000)
  const failure = { status: 'failed' as const, at: at(0), error: long }
  const unshortened = { status: 'unpublished' as const, at: at(0) }
  const link = `https://example.com/${'a'.repeat(1_000)}`
  const whole = (nth: number) => ({
    ...{
      accountId: `acc_${nth}`,
      ok: true as const,
      postId: '1',
      url: link,
      note: long,
      edit: failure,
      unpublish: failure,
    },
    firstComment: { ok: false, error: long },
    parts: [{ postId: '1' }],
  })
  const broken = { accountId: 'acc', ok: false as const, error: long, unpublish: failure }
  const calm = { accountId: 'acc', ok: true as const, postId: '1', unpublish: unshortened, firstComment: { ok: true } }
  t.same(fitted({ x: [whole(1), broken, calm] }), { x: [whole(1), broken, calm] })

  const some = fitted({ x: [...Array.from({ length: 10 }, (_, nth) => whole(nth)), broken, calm] })['x'] ?? []
  const cut = 'e'.repeat(300)
  const short = { ...failure, error: cut }
  t.same(some[0], { ...whole(0), note: cut, edit: short, unpublish: short, firstComment: { ok: false, error: cut } })
  t.same(some.at(-2), { ...broken, error: cut, unpublish: short })
  t.same(some.at(-1), calm)

  const many = fitted({ x: [...Array.from({ length: 60 }, (_, nth) => whole(nth)), broken, calm] })['x'] ?? []
  t.equal(many.length, 62)
  t.notOk(many.some((item) => 'url' in item || 'parts' in item))
  t.same(fitted({ x: Array.from({ length: 2_000 }, (_, nth) => whole(nth)) }), {})
})
