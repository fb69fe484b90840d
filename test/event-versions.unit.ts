import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { z } from 'zod'
import { fold } from '../commands/handle.ts'
import { eventOf, type EventOf, type RecordedEvent, type StreamKind } from '../domain/core/event.ts'
import { describeEvent } from '../domain/log/describe.ts'
import { streamKinds } from '../domain/log/event-kinds.ts'
import { post } from '../domain/post/post.ts'
import { workspace } from '../domain/workspace/workspace.ts'
import { createCodec, type StoredEvent } from '../event-log/codec.ts'
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
const codec = createCodec({ book })

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
      const again = codec.encode('book-1', [read])[0]
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
  t.equal(
    describeEvent(createCodec().decode(stored('PostQueued', {}, 9, 'post-1'))),
    'PostQueued cannot be read: its schema has version 9, and this process knows up to 1. Upgrade it.',
  )
})

t.test('given an event of an unknown type, then read models carry it, and decisions stop', async (t) => {
  const read = codec.decode(stored('Sold', { price: 1 }, 2))
  t.same(read.data, { price: 1 })
  t.equal(eventOf(book, read), undefined)
  t.throws(() => fold(book, [read]), { message: /^Sold of book-1 cannot be read: this process does not know its type/ })
})

t.test('given an event that does not match its schema, when it is written, then it is refused', async (t) => {
  t.throws(() => codec.encode('book-1', [newEvent({ title: 'Emma' }, 'Opened')]), { message: /^tags: / })
  t.throws(() => codec.encode('book-1', [newEvent({}, 'Begun')]), { message: 'Begun is not an event of a book' })
  t.throws(() => codec.encode('book-1', [newEvent({}, 'constructor')]), { message: /is not an event of a book/ })
})

t.test('given any event of any kind, when it is written and read, then it is the same', async (t) => {
  const ours = createCodec()
  for (const { category, events } of Object.values(streamKinds)) {
    for (const [type, schema] of Object.entries(events)) {
      const survives = (value: unknown) => {
        const event = newEvent(Object(JSON.parse(JSON.stringify(value))), type)
        const [written] = ours.encode(`${category}-1`, [event])
        const json: RecordedEvent = JSON.parse(JSON.stringify(written))
        const read = ours.decode({ ...json, stream: `${category}-1`, revision: 0, position: 0n })
        return read.unreadable === undefined && isDeepStrictEqual(read.data, event.data)
      }
      const run = fc.check(fc.property(valuesOf(schema), survives), { numRuns: 20 })
      t.notOk(run.failed, `${category} ${type}`)
    }
  }
})

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
