import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import * as z from 'zod'
import { fold } from '../commands/handle.ts'
import { eventOf, type EventOf, type NewEvent, type RecordedEvent, type StreamKind } from '../domain/core/event.ts'
import { describeEvent } from '../domain/log/describe.ts'
import { streamKinds } from '../domain/log/event-kinds.ts'
import { post } from '../domain/post/post.ts'
import { workspace } from '../domain/workspace/workspace.ts'
import { createCodec, type StoredEvent } from '../event-log/codec.ts'
import { NO_STREAM } from '../event-log/event-log.ts'
import type { EventKey, EventKeys } from '../event-log/sealing.ts'
import { current, recorded } from './golden/recorded.ts'
import { newEvent } from './support/event-log-helpers.ts'
import { valuesOf } from './support/generated.ts'

/** A kind of stream after three releases: `Opened` was called `Begun`, and its `title` was once `name` and once absent. */
const events = { Opened: z.object({ title: z.string(), tags: z.array(z.string()) }) }
const book: StreamKind<string, EventOf<typeof events>> = {
  category: 'book',
  events,
  upcasters: {
    Opened: [
      ({ name, ...data }) => ({ ...data, title: name ?? 'Untitled' }),
      (data) => ({ ...data, tags: data['tags'] ?? [] }),
    ],
  },
  renamed: { Begun: 'Opened' },
  initial: '',
  evolve: (titles, { data }) => `${titles} ${data.title}`,
}
const codec = createCodec({ formats: { book } })

function stored(type: string, data: object, schemaVersion?: number, stream = 'book-1'): StoredEvent {
  const { id, metadata } = newEvent()
  return { ...{ stream, revision: 0, position: 0n, id, type, data }, metadata: { ...metadata, schemaVersion } }
}

t.test('given an event that an earlier version wrote', async (t) => {
  const written: Readonly<Record<string, StoredEvent>> = {
    'by its first name': stored('Begun', { name: 'Emma' }),
    'without a version': stored('Opened', { name: 'Emma' }),
    'in the second version': stored('Opened', { title: 'Emma' }, 2),
    'in the current version': stored('Opened', { title: 'Emma', tags: [] }, 3),
  }
  for (const [how, event] of Object.entries(written)) {
    await t.test(`when one written ${how} is read, then it is in today's form`, async (t) => {
      const read = codec.decode(event)
      t.match(read, { type: 'Opened', data: { title: 'Emma', tags: [] }, metadata: { schemaVersion: 3 } })
      t.equal(read.unreadable, undefined)
      t.equal(fold(book, [read]), ' Emma')
      const [again] = await codec.encode('book-1', [read], 0)
      t.same(again && codec.decode({ ...read, ...again }), read, 'and writing it again changes nothing')
    })
  }
})

t.test('given an event that this version cannot read, then it stops only what needs it', async (t) => {
  const cases: Readonly<Record<string, readonly [StoredEvent, RegExp]>> = {
    'of a newer version': [
      stored('Opened', { heading: 'Emma' }, 4),
      /^Opened of book-1 cannot be read: its schema has version 4, and this process knows up to 3\. Upgrade it$/,
    ],
    'of another shape': [
      stored('Opened', { title: 7 }, 2),
      /^Opened of book-1 cannot be read: it does not match its schema: title: /,
    ],
  }
  for (const [how, [event, message]] of Object.entries(cases)) {
    const read = codec.decode(event)
    t.same(read.data, event.data, `one ${how} keeps its data`)
    t.throws(() => eventOf(book, read), { name: 'UnreadableEvent', message })
    t.throws(() => fold(book, [read]), { name: 'UnreadableEvent', message })
    t.equal(eventOf(workspace, read), undefined, 'another kind of stream does not need it')
  }
  const known = 1 + (post.upcasters?.['PostQueued']?.length ?? 0)
  t.equal(
    describeEvent(createCodec().decode(stored('PostQueued', {}, known + 1, 'post-1'))),
    `PostQueued cannot be read: its schema has version ${known + 1}, and this process knows up to ${known}. Upgrade it.`,
  )
})

t.test('given an event of an unknown type, then read models carry it, and decisions stop', async (t) => {
  const read = codec.decode(stored('Sold', { price: 1 }, 2))
  t.same(read.data, { price: 1 })
  t.equal(eventOf(book, read), undefined)
  t.throws(() => fold(book, [read]), { message: /^Sold of book-1 cannot be read: this process does not know its type/ })
})

t.test('given an event that does not match its schema, when it is written, then it is refused', async (t) => {
  const refused: readonly (readonly [type: string, data: object, message: string | RegExp])[] = [
    ['Opened', { title: 'Emma' }, /^tags: /],
    ['Begun', {}, 'Begun is not an event of a book'],
    ['constructor', {}, /is not an event of a book/],
  ]
  for (const [type, data, message] of refused) {
    await t.rejects(codec.encode('book-1', [newEvent(data, type)], NO_STREAM), { message })
  }
})

function plain(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data))
}

/** One key for all streams, until it is deleted. */
function oneKey(): EventKeys & { delete(): void } {
  let key: EventKey | undefined = { id: 'first', key: Buffer.alloc(32, 1) }
  return {
    create: async () => key ?? { id: 'second', key: Buffer.alloc(32, 2) },
    find: async (streams) => new Map(key && streams.map((stream) => [stream, key as EventKey])),
    delete: () => (key = undefined),
  }
}

t.test('given any event of any kind, when it is written and read, then it is the same', async (t) => {
  for (const { category, events, personal } of Object.values(streamKinds)) {
    for (const [type, schema] of Object.entries(events)) {
      const erased = personal?.erased[type]
      const survives = async (value: unknown) => {
        const keys = oneKey()
        const ours = createCodec({ keys })
        const event = newEvent(Object(JSON.parse(JSON.stringify(value))), type)
        // Any event but the first is encrypted with the key that the stream has.
        const [written] = await ours.encode(`${category}-1`, [event], 0)
        const json: RecordedEvent = JSON.parse(JSON.stringify(written))
        const stored = { ...json, stream: `${category}-1`, revision: 0, position: 0n }
        const read = async () => (await ours.open([stored])).map(ours.decode)[0]
        const before = await read()
        keys.delete()
        const after = await read()
        const isEncrypted = 'sealed' in stored.metadata
        const isHidden = !isEncrypted || Object.keys(erased ?? {}).every((name) => !Object.hasOwn(stored.data, name))
        return (
          isHidden &&
          isDeepStrictEqual([before?.unreadable, after?.unreadable], [undefined, undefined]) &&
          isDeepStrictEqual(before?.data, event.data) &&
          isDeepStrictEqual(plain(after?.data), plain({ ...event.data, ...(isEncrypted && erased) }))
        )
      }
      const run = await fc.check(fc.asyncProperty(valuesOf(schema), survives), { numRuns: 20 })
      t.notOk(run.failed, `${category} ${type}`)
    }
  }
})

t.test('given an encrypted event, then only its own place in the log can read it', async (t) => {
  const ours = createCodec({ keys: oneKey() })
  const received = newEvent(COMMENT, 'CommentReceived')
  const [written] = await ours.encode('comment-com_1', [received], NO_STREAM)
  const storedAs = (changed: object) => ({
    ...{ stream: 'comment-com_1', revision: 0, position: 0n, ...received, ...written, ...changed },
  })
  t.match((await ours.open([storedAs({})])).map(ours.decode), [{ data: COMMENT, metadata: received.metadata }])
  for (const changed of [{ stream: 'comment-com_2' }, { id: newEvent().id }, { metadata: tampered(written) }]) {
    await t.rejects(ours.open([storedAs(changed)]), { name: 'MalformedEvent', message: /encrypted fields/ })
  }
  t.match(
    createCodec().decode(storedAs({})),
    { unreadable: { isNewer: true } },
    'a process from before encryption stops',
  )
})

const COMMENT = {
  ...{ workspaceId: 'ws_1', platform: 'x', accountId: 'acc_1', commentId: '1', kind: 'mention', replied: false },
  ...{ author: 'Jane', authorId: '7', text: 'Hello', createdAt: '2026-01-02T03:04:05.678Z', references: {} },
}

function tampered(event: NewEvent | undefined) {
  const metadata: Readonly<Record<string, unknown>> = { ...event?.metadata }
  return { ...metadata, sealed: { ...Object(metadata['sealed']), text: 'AAAA'.repeat(30) } }
}

t.test('given anything in place of old data, then no upcaster throws', async (t) => {
  for (const { category, upcasters = {} } of Object.values(streamKinds)) {
    for (const [type, steps] of Object.entries(upcasters)) {
      const isTotal = (data: object) =>
        steps.every((_, from) => steps.slice(from).reduce((older, step) => step(older), { ...data }))
      t.notOk(fc.check(fc.property(fc.object(), isTotal)).failed, `${category} ${type}`)
    }
  }
})

t.test('given a post whose response was lost in an earlier version, then it is looked for once', async (t) => {
  const lookAt = '2026-01-02T03:04:05.678Z'
  const data = { platform: 'x', accountId: 'acc_1', attempt: 1, error: 'timeout', lookAt }
  const read = createCodec().decode(stored('PublishAnswerLost', data, undefined, 'post-1'))
  t.match(eventOf(post, read), { data: { lookAt, until: lookAt } })
})

t.test('what a data folder may depend on has not changed', async (t) => {
  const [was, is] = [recorded(), current()]
  for (const [name, schema] of Object.entries(is.schemas)) {
    const how = `see "Change an event" in CONTRIBUTING.md, then run npm run golden`
    t.same(schema, was.schemas[name], `${name} changed or is not recorded: ${how}`)
  }
  for (const [name, hash] of Object.entries(is.migrations)) {
    t.equal(
      hash,
      was.migrations[name],
      `migration ${name} changed or is not recorded: add another migration, then run npm run golden`,
    )
  }
})
