import t from 'tap'
import { postFormat } from '../domain/post/post-events.ts'
import { SENTENCES, sentenceOf } from '../packages/dashboard/pages/post/sentences.ts'
import { onDay } from '../packages/dashboard/parts/time.ts'

const NAMES = {
  platform: (key: string) => ({ x: 'X', instagram: 'Instagram' })[key] ?? key,
  account: (id: string) => (id === 'acc_1' ? 'Our brand' : id),
}
const DAY_MS = 86_400_000
const reactor = { kind: 'reactor', id: 'publish' } as const

function said(type: string, data: Readonly<Record<string, unknown>>, by: object = reactor): string | null {
  const event = { revision: 0, type, at: '2026-11-30T07:00:00.000Z', summary: 'As the log says', data, by }
  return sentenceOf(event as Parameters<typeof sentenceOf>[0], NAMES)
}

t.test('there is a sentence, or a decision for none, for each event that a post can have', (t) => {
  t.same(Object.keys(SENTENCES).sort(), Object.keys(postFormat.events).sort())
  t.end()
})

t.test('no sentence has names of classes, ids, or times as the log has them', (t) => {
  const data = {
    ...{ platform: 'x', accountId: 'acc_1', error: 'The text is too long.', code: 'permanent', label: 'Client' },
    ...{ dueAt: '2026-12-01T08:00:00.000Z', retryAt: '2026-11-30T08:00:00.000Z', okCount: 1, total: 2 },
    ...{ origin: 'api', decision: 'approved', comment: 'Good', attempt: 1 },
  }
  for (const type of Object.keys(SENTENCES)) {
    for (const given of [data, {}]) {
      const sentence = said(type, given, { kind: 'user', id: 'user_1', label: 'Anna' })
      if (sentence === null) continue
      t.notMatch(sentence, /undefined|NaN|acc_|user_|\d{4}-\d\d-\d\dT|[a-z][A-Z]|\.\./, type)
    }
  }
  t.end()
})

t.test('sentences are what a person would say', (t) => {
  const anna = { kind: 'user', id: 'user_1', label: 'Anna' }
  const key = { kind: 'api-key', id: 'key_1', label: 'demo' }
  const target = { platform: 'x', accountId: 'acc_1' }
  const dueAt = new Date(Date.now() + DAY_MS).toISOString()
  for (const [expected, type, data, by] of [
    [`Anna scheduled it for ${onDay(dueAt)}`, 'PostScheduled', { dueAt }, anna],
    ['The key demo published it', 'PostQueued', { origin: 'api' }, key],
    ['An agent with the key demo published it', 'PostQueued', { origin: 'api' }, { ...key, via: 'mcp' }],
    ['Its time came, and publishing started', 'PostQueued', { origin: 'schedule' }],
    ['Published on Instagram as Our brand', 'AccountPublished', { platform: 'instagram', accountId: 'acc_1' }],
    ['X refused it: Too long.', 'AccountPublishFailed', { ...target, code: 'permanent', error: 'Too long.' }],
    ['Gave up on X as Our brand: Busy.', 'AccountPublishFailed', { ...target, code: 'gave_up', error: 'Busy.' }],
    ['Not published on myspace: There is none.', 'PlatformRefused', { platform: 'myspace', error: 'There is none.' }],
    [
      'Anna asked for changes: “Shorter”',
      'ApprovalDecided',
      { decision: 'changes_requested', comment: 'Shorter' },
      anna,
    ],
    ['Anna approved it', 'ApprovalDecided', { decision: 'approved' }, anna],
    ['Finished: published on all 2 accounts', 'PostFinished', { okCount: 2, total: 2 }],
    ['Finished: published on 1 of 2 accounts', 'PostFinished', { okCount: 1, total: 2 }],
    ['Finished: it was not published', 'PostFinished', { okCount: 0, total: 1 }],
    ['As the log says', 'OfALaterVersion', {}],
  ] as const) {
    t.equal(said(type, data, by), expected)
  }
  t.equal(said('PublishPrepared', target), null, 'a step on the way')
  t.end()
})

t.test('days are those of the calendar', (t) => {
  const now = new Date(2026, 10, 23, 23, 29).getTime()
  const at = (day: number, hour = 9) => onDay(new Date(2026, 10, day, hour).toISOString(), now)
  t.match(
    [at(23), at(24), at(22), at(25), at(20), at(30)],
    [/^today, /, /^tomorrow, /, /^yesterday, /, /^Wednesday, /, /^Friday, /, /2026, /],
  )
  t.end()
})
