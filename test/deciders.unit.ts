import t from 'tap'
import fc from 'fast-check'
import { NO_AUTOMATION } from '../domain/account/account.ts'
import { finalText } from '../domain/post/caption.ts'
import { Refusal } from '../domain/core/errors.ts'
import type { Metadata } from '../domain/core/event.ts'
import { isFinished, isQueued, post, type PostState, type TargetKey } from '../domain/post/post.ts'
import type { PostEvent } from '../domain/post/post-events.ts'
import { publishResults } from '../domain/post/publish-result.ts'
import { fitted } from '../domain/post/publish-results.ts'
import { asText } from '../domain/core/text.ts'
import { nextAttemptAt } from '../commands/attempt-policy.ts'
import { connectAccount, identifyOwner } from '../commands/connect-account.ts'
import { disconnectAccount } from '../commands/disconnect-account.ts'
import {
  deferFirstComment,
  firstCommentFailed,
  firstCommentPosted,
  firstCommentProgressed,
  firstCommentState,
  startFirstComment,
} from '../commands/first-comment.ts'
import {
  accountFailed,
  accountPublished,
  deferPublish,
  publishAnswerLost,
  publishPrepared,
  publishProgressed,
  startPublish,
  targetState,
} from '../commands/publish-attempt.ts'
import { queuePost, type QueuePost } from '../commands/queue-post.ts'
import { retryPost } from '../commands/retry-post.ts'
import { followUpDone, startFollowUp } from '../commands/follow-up.ts'
import { unpublishPost } from '../commands/unpublish.ts'
import { revokeApiKey } from '../commands/revoke-api-key.ts'

const metadata: Metadata = {
  at: '2026-01-01T00:00:00.000Z',
  actor: { kind: 'reactor', id: 'test' },
  correlationId: 'c',
  causationId: 'c',
}
const given = (...events: readonly PostEvent[]): PostState =>
  events.reduce((state, event) => post.evolve(state, event, metadata), post.initial)

const command: QueuePost = {
  workspaceId: 'ws_1',
  origin: 'api',
  mediaUrl: 'https://example.com/a.jpg',
  mediaType: 'image',
  selections: { x: ['acc_1'], facebook: ['acc_2'] },
  caption: 'Hello',
  captionOverrides: {},
  hashtags: [],
  firstComment: 'First!',
}
const x: TargetKey = { platform: 'x', accountId: 'acc_1' }
const facebook: TargetKey = { platform: 'facebook', accountId: 'acc_2' }
const queued = queuePost(post.initial, command)
const policy = { delaysMs: [1000, 2000] }
const types = (events: readonly PostEvent[]) => events.map(({ type }) => type)
const refuses = (code: string) => ({ name: /Refusal|Superseded/, code })

t.test('queueing a post', async (t) => {
  t.same(types(queued), ['PostQueued'])
  t.same(queuePost(given(...queued), command), [], 'queued again, nothing happens')
  t.same(
    types(queuePost(post.initial, { ...command, selections: { nowhere: ['a'], tiktok: [], x: ['acc_1', 'acc_1'] } })),
    ['PostQueued', 'PlatformRefused', 'PlatformRefused'],
    'a platform without an account is refused, not the request',
  )
  const hopeless = queuePost(post.initial, { ...command, selections: { nowhere: ['a'], tiktok: [] } })
  t.match(hopeless.at(-1), { type: 'PostFinished', data: { status: 'publish_failed', okCount: 0, total: 2 } })
})

t.test('the write-ahead guard', async (t) => {
  const started = [...queued, ...startPublish(given(...queued), x)]
  const prepared = [...started, ...publishPrepared(given(...started), { ...x, attempt: 1 }, { mediaId: 'm' })]

  t.match(started.at(-1), { type: 'PublishStarted', data: { attempt: 1 } })
  t.match(startPublish(given(...started), x), [{ data: { attempt: 2 } }], 'a dead worker’s attempt is taken over')
  const takenOver = given(...started, ...startPublish(given(...started), x))
  t.throws(
    () => publishPrepared(takenOver, { ...x, attempt: 1 }, {}),
    refuses('failed_precondition'),
    'who was taken over stops',
  )
  t.throws(
    () => startPublish(given(...prepared), x),
    refuses('failed_precondition'),
    'no new attempt while a call may be out',
  )
  t.throws(() => startPublish(given(...queued), { ...x, accountId: 'acc_9' }), refuses('failed_precondition'))

  const published = accountPublished(given(...prepared), { ...x, attempt: 1 }, { postId: 'p' }, false)
  t.same(types(published), ['AccountPublished'], 'the other account still runs')
  t.throws(
    () => accountPublished(given(...prepared, ...published), { ...x, attempt: 1 }, { postId: 'p' }, false),
    refuses('failed_precondition'),
    'an outcome is recorded once',
  )
  const failure = { code: 'permanent', error: 'e'.repeat(5000) } as const
  const failed = accountFailed(given(...prepared), { ...x, attempt: 1 }, 'submitted', failure)
  t.match(failed, [{ type: 'AccountPublishFailed', data: { error: /^e{2000}$/ } }], 'a long error is shortened')
})

t.test('given two workers that look at one attempt in turn', async (t) => {
  const attempt = { ...x, attempt: 1 }
  const started = [...queued, ...startPublish(given(...queued), x)]
  const working = [...started, ...publishProgressed(given(...started), attempt, 'preparing', { containerId: 'c' }, 0)]
  const submitted = given(...working, ...publishPrepared(given(...working), attempt, { containerId: 'c' }))
  const failure = { code: 'permanent', error: 'e' } as const

  await t.test('when one has submitted it, then what the other meets while it prepares ends nothing', async (t) => {
    t.throws(() => accountFailed(submitted, attempt, 'preparing', failure), refuses('failed_precondition'))
    t.throws(
      () => deferPublish(submitted, attempt, 'preparing', { error: 'busy' }, policy, 0),
      refuses('failed_precondition'),
    )
    t.throws(() => publishPrepared(submitted, attempt, {}), refuses('failed_precondition'))
    t.same(types(accountPublished(submitted, attempt, { postId: 'p' }, false)).slice(0, 1), ['AccountPublished'])
  })

  await t.test('when one has given it up, then the other submits nothing', async (t) => {
    const givenUp = given(...working, ...accountFailed(given(...working), attempt, 'preparing', failure))
    t.throws(() => publishPrepared(givenUp, attempt, {}), refuses('failed_precondition'))
  })
})

t.test('a retry that was asked for has its attempts to come, whatever looking for the post came to', async (t) => {
  const started = [...queued, ...startPublish(given(...queued), x)]
  const prepared = [...started, ...publishPrepared(given(...started), { ...x, attempt: 1 }, {})]
  const unknown = { code: 'unknown', error: 'lost' } as const
  const failed = [...prepared, ...accountFailed(given(...prepared), { ...x, attempt: 1 }, 'submitted', unknown)]
  const retried = given(...failed, ...retryPost(given(...failed), 'x'))
  for (const delaysMs of [[], [1_000]]) {
    const deferred = deferPublish(retried, { ...x, attempt: 1 }, 'submitted', { error: 'not there' }, { delaysMs }, 5)
    t.match(deferred, [{ type: 'PublishDeferred', data: { retryAt: '1970-01-01T00:00:00.005Z' } }])
  }
})

t.test('backing off', async (t) => {
  let events = [...queued]
  const attempt = (n: number) => {
    events = [...events, ...startPublish(given(...events), x)]
    const outcome = deferPublish(given(...events), { ...x, attempt: n }, 'preparing', { error: 'busy' }, policy, 0)
    events = [...events, ...outcome]
    return outcome
  }
  t.match(attempt(1), [{ type: 'PublishDeferred', data: { retryAt: '1970-01-01T00:00:01.000Z' } }])
  t.match(attempt(2), [{ type: 'PublishDeferred', data: { retryAt: '1970-01-01T00:00:02.000Z' } }])
  t.match(attempt(3), [{ type: 'AccountPublishFailed', data: { code: 'gave_up', error: 'busy' } }])
  const takenOver = [1, 2, 3, 4].reduce<PostEvent[]>((all) => [...all, ...startPublish(given(...all), x)], [...queued])
  t.match(
    deferPublish(given(...takenOver), { ...x, attempt: 4 }, 'preparing', { error: 'busy' }, policy, 0),
    [{ type: 'PublishDeferred' }],
    'workers that died use up no attempts',
  )
  t.equal(nextAttemptAt(policy, 1, 0, 5_000), '1970-01-01T00:00:05.000Z', 'a platform that says how long is believed')
  t.equal(nextAttemptAt(policy, 1, 0, 1e12), '1970-01-02T00:00:00.000Z', 'but not for more than a day')
})

t.test('the first comment', async (t) => {
  const alone = queuePost(post.initial, { ...command, selections: { facebook: ['acc_2'] } })
  const started = [...alone, ...startPublish(given(...alone), facebook)]
  const first = { ...facebook, attempt: 1 }
  const prepared = [...started, ...publishPrepared(given(...started), first, {})]
  const out = accountPublished(given(...prepared), first, { postId: 'p' }, true)
  t.same(types(out), ['AccountPublished', 'FirstCommentQueued'], 'the post waits for its comment')
  const published = [...prepared, ...out]
  const commenting = [...published, ...startFirstComment(given(...published), facebook)]
  t.throws(() => startFirstComment(given(...commenting), facebook), refuses('failed_precondition'))
  t.match(firstCommentPosted(given(...commenting), first, undefined).at(-1), {
    type: 'PostFinished',
    data: { status: 'published' },
  })
  t.match(
    firstCommentFailed(given(...commenting), first, 'no').at(-1),
    { type: 'PostFinished', data: { status: 'published', okCount: 1 } },
    'a failed comment does not fail the post',
  )
  const deferred = deferFirstComment(given(...commenting), first, { error: 'busy' }, { delaysMs: [] }, 0)
  t.same(types(deferred), ['FirstCommentFailed', 'PostFinished'], 'given up without delays left')
  const elsewhere = accountPublished(given(...prepared), first, { postId: 'p' }, false)
  t.same(types(elsewhere), ['AccountPublished', 'PostFinished'], 'a platform without comments ignores it')
})

t.test('retrying', async (t) => {
  const started = [...queued, ...startPublish(given(...queued), x)]
  t.throws(() => retryPost(given(), 'x'), refuses('not_found'))
  t.throws(() => retryPost(given(...started), 'x'), refuses('failed_precondition'), 'while it runs')
  t.throws(() => retryPost(given(...started), 'tiktok'), refuses('invalid_request'), 'never selected')
  const prepared = [...started, ...publishPrepared(given(...started), { ...x, attempt: 1 }, { mediaId: 'm' })]
  const unknown = accountFailed(given(...prepared), { ...x, attempt: 1 }, 'submitted', {
    code: 'unknown',
    error: 'lost',
  })
  const failed = [...prepared, ...unknown]
  const retry = retryPost(given(...failed), 'x')
  t.match(retry, [{ type: 'RetryRequested', data: { platform: 'x', accountIds: ['acc_1'] } }])
  const state = given(...failed, ...retry)
  t.match(state, { status: 'processing' })
  t.match(
    isQueued(state) && state.targets.get('x/acc_1')?.state,
    { step: 'submitted', attempt: 1, submission: { handle: { mediaId: 'm' } }, askedAgainAt: metadata.at },
    'an unknown outcome is looked for before anything is sent',
  )
  t.throws(() => retryPost(state, 'x'), refuses('failed_precondition'), 'not twice at once')
})

t.test(
  'given a chain whose first part was unpublished, when the second may be there, then it is not retried',
  async (t) => {
    const chain = { ...command, selections: { x: ['acc_1'] }, chain: [{ text: 'Two' }] }
    const [first, second] = [
      { ...x, attempt: 1 },
      { ...x, attempt: 2 },
    ]
    const after = (code: 'unknown' | 'permanent') => {
      const events = [...queuePost(post.initial, chain)]
      const add = (decide: (state: PostState) => readonly PostEvent[]) => events.push(...decide(given(...events)))
      add((state) => startPublish(state, x))
      add((state) => publishPrepared(state, first, {}))
      add((state) => accountPublished(state, first, { postId: 'one' }, false))
      add((state) => startPublish(state, x))
      add((state) => publishPrepared(state, second, {}))
      add((state) => accountFailed(state, second, 'submitted', { code, error: 'no' }))
      add((state) => unpublishPost(state, undefined, () => true))
      t.throws(() => retryPost(given(...events), 'x'), refuses('failed_precondition'), 'not while it is deleted')
      add((state) => startFollowUp(state, 'unpublish', x))
      add((state) => followUpDone(state, 'unpublish', first))
      return given(...events)
    }
    t.match(retryPost(after('permanent'), 'x'), [{ type: 'RetryRequested' }])
    t.throws(() => retryPost(after('unknown'), 'x'), { code: 'failed_precondition', message: /duplicate the post/ })
  },
)

t.test('accounts and keys', async (t) => {
  const account = { workspaceId: 'ws_1', platform: 'x', externalId: 'e', label: 'l' } as const
  const connected = { status: 'connected', ...account, automation: NO_AUTOMATION, connectedAt: metadata.at } as const
  const event = { type: 'AccountConnected', data: account } as const
  t.same(connectAccount({ status: 'absent' }, account), [event])
  t.match(connectAccount(connected, { ...account, label: 'new' }), [{ data: { label: 'new' } }])
  for (const other of [{ workspaceId: 'ws_2' }, { platform: 'threads' as const }, { externalId: 'f' }]) {
    const belongs = { ...refuses('forbidden'), message: 'This account id belongs to another account.' }
    t.throws(() => connectAccount(connected, { ...account, ...other }), belongs)
  }
  t.same(connectAccount(connected, account, { ownerId: 'person' }), [
    event,
    { type: 'AccountOwnerIdentified', data: { ownerId: 'person' } },
  ])
  const reason = 'Not granted when the account was connected: dm.read. Connect it again and allow comments.'
  t.same(connectAccount(connected, account, { lacking: { comments: ['dm.read'] } }), [
    event,
    {
      type: 'AccountLimited',
      data: { capability: 'comments', cause: 'permission_missing', permission: 'dm.read', reason },
    },
  ])
  const postDefaults = { boardId: '1' }
  const defaults = { type: 'PostDefaultsSet', data: { options: postDefaults } }
  t.same(connectAccount({ status: 'absent' }, account, { postDefaults }), [event, defaults])
  t.same(connectAccount(connected, account, { postDefaults }), [event, defaults], 'it has none yet')
  t.same(connectAccount({ ...connected, postDefaults: { boardId: '2' } }, account, { postDefaults }), [event], 'it has')
  t.same(identifyOwner(connected, 'person'), [{ type: 'AccountOwnerIdentified', data: { ownerId: 'person' } }])
  t.same(identifyOwner({ ...connected, ownerId: 'other' }, 'person'), [])
  t.same(identifyOwner({ status: 'absent' }, 'person'), [])
  t.same(disconnectAccount(connected), [{ type: 'AccountDisconnected', data: {} }])
  t.throws(() => disconnectAccount({ status: 'absent' }), { code: 'not_found', message: 'No such account.' })
  t.same(disconnectAccount({ ...connected, status: 'disconnected' }), [])
  t.same(revokeApiKey({ status: 'active', workspaceId: 'ws_1', scopes: [], budgets: {} }), [
    { type: 'ApiKeyRevoked', data: {} },
  ])
  t.throws(() => revokeApiKey({ status: 'absent' }), { code: 'not_found', message: 'No such API key.' })
  t.same(revokeApiKey({ status: 'revoked', workspaceId: 'ws_1', scopes: [], budgets: {} }), [])
})

t.test('what a worker records, to the letter', async (t) => {
  const alone = queuePost(post.initial, { ...command, selections: { facebook: ['acc_2'] } })
  const first = { ...facebook, attempt: 1 }
  const own = { ...first, workspaceId: 'ws_1' }
  const started = [...alone, ...startPublish(given(...alone), facebook)]
  const [handle, lookAt] = [{ containerId: 'c' }, 5_000]
  const look = '1970-01-01T00:00:05.000Z'
  t.same(publishProgressed(given(...started), first, 'preparing', handle, lookAt), [
    { type: 'PublishProgressed', data: { ...own, handle, lookAt: look } },
  ])
  const submitted = [...started, ...publishPrepared(given(...started), first, handle)]
  t.same(submitted.at(-1), { type: 'PublishPrepared', data: { ...own, handle } })
  const lost = { lookAt, until: 6_000 }
  t.same(publishAnswerLost(given(...submitted), first, 'cut off', lost), [
    {
      type: 'PublishAnswerLost',
      data: { ...first, error: 'cut off', lookAt: look, until: '1970-01-01T00:00:06.000Z' },
    },
  ])
  const known = { postId: 'p', url: 'https://facebook.com/p', note: 'Shortened.' }
  const [out] = accountPublished(given(...submitted), first, known, true)
  t.same(out, { type: 'AccountPublished', data: { ...own, ...known } })
  t.same(accountPublished(given(...submitted), first, { postId: 'p' }, true)[0]?.data, { ...own, postId: 'p' })

  const published = [...submitted, ...accountPublished(given(...submitted), first, known, true)]
  const key = { platform: 'facebook', accountId: 'acc_2', workspaceId: 'ws_1' }
  const progressed = { type: 'FirstCommentProgressed', data: { ...key, handle, lookAt: look } }
  t.same(firstCommentProgressed(given(...published), facebook, handle, lookAt), [progressed])
  t.throws(() => firstCommentProgressed(given(...submitted), facebook, handle, lookAt), refuses('failed_precondition'))
  t.throws(
    () => startFirstComment(given(...alone), { ...facebook, accountId: 'acc_9' }),
    refuses('failed_precondition'),
  )
  const commenting = given(...published, ...startFirstComment(given(...published), facebook))
  t.throws(() => firstCommentProgressed(commenting, facebook, handle, lookAt), refuses('failed_precondition'))
  t.same(firstCommentPosted(commenting, first, { postId: 'c' }, 'First!')[0], {
    type: 'FirstCommentPosted',
    data: { ...own, postId: 'c', text: 'First!' },
  })
  t.same(firstCommentPosted(commenting, first, undefined)[0]?.data, own)
  t.same(deferFirstComment(commenting, first, { error: 'busy' }, policy, 0), [
    { type: 'FirstCommentDeferred', data: { ...first, error: 'busy', retryAt: '1970-01-01T00:00:01.000Z' } },
  ])
  t.throws(() => firstCommentPosted(commenting, { ...first, attempt: 2 }, undefined), refuses('failed_precondition'))
  t.throws(() => firstCommentPosted(given(...published), first, undefined), refuses('failed_precondition'))
  t.throws(() => publishPrepared(given(...alone), { ...first, accountId: 'acc_9' }, {}), refuses('failed_precondition'))
})

t.test('given a post that is retried on a platform of two accounts', async (t) => {
  const both = queuePost(post.initial, { ...command, selections: { x: ['acc_1', 'acc_2'] } })
  const other = { ...x, accountId: 'acc_2' }
  const through = (key: TargetKey, before: readonly PostEvent[]) => {
    const started = [...before, ...startPublish(given(...before), key)]
    return [...started, ...publishPrepared(given(...started), { ...key, attempt: 1 }, {})]
  }
  const failure = { code: 'permanent', error: 'no' } as const
  const one = through(x, both)
  const failed = [...one, ...accountFailed(given(...one), { ...x, attempt: 1 }, 'submitted', failure)]
  t.throws(() => retryPost(given(...failed), 'x'), { message: 'This post is still being published on x.' })
  const two = through(other, failed)
  const ended = [...two, ...accountPublished(given(...two), { ...other, attempt: 1 }, { postId: 'p' }, false)]
  t.match(ended.at(-1), { type: 'PostFinished', data: { okCount: 1, total: 2 } })
  t.same(retryPost(given(...ended), 'x'), [{ type: 'RetryRequested', data: { platform: 'x', accountIds: ['acc_1'] } }])
  const good = through(x, queuePost(post.initial, { ...command, selections: { x: ['acc_1'] } }))
  const live = [...good, ...accountPublished(given(...good), { ...x, attempt: 1 }, { postId: 'p' }, false)]
  t.throws(() => retryPost(given(...live), 'x'), { message: 'This post has not failed on any account on x.' })
  t.throws(() => retryPost(given(), 'x'), { message: 'No such post.' })
  t.throws(() => retryPost(given(...live), 'tiktok'), { message: 'platform: this post was not queued for tiktok' })
})

t.test('the final text', async (t) => {
  const text = (caption: string, hashtags: string[], captionOverrides = {}) =>
    finalText({ caption, hashtags, captionOverrides }, 'x')
  t.equal(text('Hello', ['one', '#two', ' #One ', '', '#']), 'Hello\n\n#one #two')
  t.equal(text('', ['one']), '#one')
  t.equal(text('Hello', []), 'Hello')
  t.equal(text('Hello', ['a'], { x: 'Other', facebook: 'no' }), 'Other\n\n#a')
  t.equal(text('Hello', [], { x: '' }), '', 'an empty override is an override')
})

const ACTS = [
  'start',
  'progress',
  'prepare',
  'lose',
  'publish',
  'fail',
  'unknown',
  'defer',
  'comment',
  'posted',
  'retry',
] as const

/** What a worker in good health would do. */
function nextAct(state: PostState, key: TargetKey): (typeof ACTS)[number] {
  const comment = firstCommentState(state, key)
  if (comment) return comment.step === 'started' ? 'posted' : 'comment'
  switch (targetState(state, key)?.step) {
    case 'preparing':
      return 'prepare'
    case 'submitted':
      return 'publish'
    case 'failed':
      return 'retry'
    default:
      return 'start'
  }
}

t.test('any sequence of worker decisions keeps the laws', async (t) => {
  /* Whatever workers do and in whatever order, alive or thought dead, each by what it last saw of its attempt. */
  const step = fc.record({
    act: fc.oneof({ weight: 3, arbitrary: fc.constant('next') }, { weight: 1, arbitrary: fc.constantFrom(...ACTS) }),
    key: fc.constantFrom(x, facebook),
    stage: fc.constantFrom('preparing' as const, 'submitted' as const),
    // Mostly the attempt that is under way; now and then one that a worker only believes in.
    stale: fc.oneof(
      { weight: 5, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }) },
    ),
  })
  const outcomes = new Map<string, number>()
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let state = given(...queued)
      const all: PostEvent[] = [...queued]
      for (const { act: wanted, key, stale, stage } of steps) {
        const act = wanted === 'next' ? nextAct(state, key) : wanted
        const comment = firstCommentState(state, key)
        const current =
          act === 'posted' && comment?.step === 'started' ? comment.attempt : targetState(state, key)?.attempt
        const at = { ...key, attempt: stale ?? current ?? 1 }
        const decide: Record<string, () => readonly PostEvent[]> = {
          start: () => startPublish(state, key),
          progress: () => publishProgressed(state, at, stage, { looks: 1 }, 0),
          prepare: () => publishPrepared(state, at, {}),
          lose: () => publishAnswerLost(state, at, 'cut off', { lookAt: 0, until: 0 }),
          publish: () => accountPublished(state, at, { postId: 'p' }, key === facebook),
          fail: () => accountFailed(state, at, stage, { code: 'permanent', error: 'e' }),
          unknown: () => accountFailed(state, at, 'submitted', { code: 'unknown', error: 'e' }),
          defer: () => deferPublish(state, at, stage, { error: 'e' }, policy, 0),
          comment: () => startFirstComment(state, key),
          posted: () => firstCommentPosted(state, at, undefined),
          retry: () => retryPost(state, key.platform),
        }
        try {
          const events = decide[act]?.() ?? []
          state = events.reduce((next, event) => post.evolve(next, event, metadata), state)
          all.push(...events)
          outcomes.set(act, (outcomes.get(act) ?? 0) + 1)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
        }
      }
      // Each account is published at most once, and a prepared attempt is never followed by another without an outcome.
      for (const key of [x, facebook]) {
        const own = all.filter((event) => 'accountId' in event.data && event.data.accountId === key.accountId)
        if (own.filter(({ type }) => type === 'AccountPublished').length > 1) throw new Error('published twice')
        own.forEach((event, index) => {
          const next = own.slice(index + 1).find(({ type }) => type.startsWith('Publish') || type.startsWith('Account'))
          if (event.type === 'PublishPrepared' && next?.type === 'PublishStarted') throw new Error('sent blindly again')
        })
      }
      // The status says `processing` exactly while something is owed.
      if (!isQueued(state)) throw new Error('gone')
      if ((state.status === 'processing') === isFinished(state)) throw new Error(`status ${state.status} is wrong`)
    }),
    { numRuns: 3000 },
  )
  for (const act of ACTS) {
    t.ok((outcomes.get(act) ?? 0) > 20, `${act} was taken ${outcomes.get(act)} times`)
  }
})

t.test('given a post to 200 accounts with whatever they say, when it ends, then its results are valid and fit', (t) => {
  const said = (length: number) =>
    fc
      .tuple(fc.constantFrom('', 'x'), fc.constantFrom('😀', '"', '漢'), fc.constantFrom(1, 29, 59, 149, 299, 2_000))
      .map(([before, unit, most]) => asText(before + unit.repeat(most), length))
  const firstComment = fc.oneof(
    fc.constant(undefined),
    said(2_000).map((error) => ({ ok: false, error })),
  )
  const links = fc.constantFrom(undefined, 'https://example.com/', `https://example.com/${'a'.repeat(1_900)}`)
  const item = fc.oneof(
    fc.record({ ok: fc.constant(false as const), error: said(2_000) }),
    fc.record({ ok: fc.constant(true as const), postId: fc.constant('1'), url: links, firstComment }),
  )
  const shortened = { cut: 0, comments: 0 }
  fc.assert(
    fc.property(fc.array(item, { minLength: 3, maxLength: 4 }), (kinds) => {
      const items = Array.from({ length: 200 }, (_, nth) => ({
        accountId: `acc_${nth}`,
        ...kinds[nth % kinds.length]!,
      }))
      const results = publishResults.parse(JSON.parse(JSON.stringify({ x: items })))
      const fit = fitted(results)
      const body = JSON.stringify(fit)
      const parsed = publishResults.safeParse(fit)
      if (!parsed.success) throw parsed.error
      if (Buffer.byteLength(body) > 200_000 || body.length > 60_000) throw new Error(`${body.length} characters`)
      if (fit['x']?.length !== 200) throw new Error('none of these is too much')
      if (JSON.stringify(results) !== body) shortened.cut += 1
      if (items.some((one) => one.ok && one.firstComment)) shortened.comments += 1
    }),
  )
  t.ok(shortened.cut > 20 && shortened.comments > 20, JSON.stringify(shortened))
  t.end()
})
