import fc from 'fast-check'
import { streamKinds } from '../../domain/log/event-kinds.ts'
import type { NewEvent } from '../../domain/core/event.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { asText } from '../../domain/core/text.ts'
import type { EventLog } from '../../event-log/event-log.ts'
import { valuesOf } from './generated.ts'

const BEGIN = Date.UTC(2026, 0, 1)
/** Long values are for other tests. The longest name of a media type has 73 characters. */
const LONGEST = 80
const LARGEST = 1_000
const NAMED_BY_THEIR_WORKSPACE = ['workspace', 'credits']
/** Of the whole installation. */
const OF_NO_WORKSPACE = ['keyring', 'removal']

/** An append of a history. */
export interface Step {
  readonly stream: string
  readonly revision: number
  readonly event: NewEvent
}

/**
 * A history of a workspace in which each type of event that there is happens, and things name each other: each kind has one
 * stream with all of its types, and one that has only begun. The same for the same name.
 */
export function historyOf(workspaceId: string): readonly Step[] {
  return historyIn(workspaceId, (category) => !OF_NO_WORKSPACE.includes(category))
}

/** The same of what is of no workspace, and of one that is erased. */
export function historyOfNoWorkspace(): readonly Step[] {
  return [
    ...historyIn('none', (category) => OF_NO_WORKSPACE.includes(category)),
    ...historyIn('ws_erased', (category) => category === 'workspace', []),
  ]
}

/** @param never types of events that do not happen */
function historyIn(
  workspaceId: string,
  isIn: (category: string) => boolean,
  never: readonly string[] = ['WorkspaceClosed', 'WorkspaceErased'],
): readonly Step[] {
  const named = namesOf(workspaceId)
  const kinds = Object.entries(streamKinds).filter(([category]) => isIn(category))
  const streams = kinds.flatMap(([category, { events }]) => {
    const types = Object.keys(events).filter((type) => !never.includes(type))
    const lives = NAMED_BY_THEIR_WORKSPACE.includes(category) ? [types] : [types, types.slice(0, 1)]
    return lives.map((life, nth) => ({
      stream: `${category}-${idOf(workspaceId, category, nth)}`,
      category,
      types: life,
    }))
  })
  // By turns, so that the streams are interleaved.
  const turns = Math.max(...streams.map(({ types }) => types.length))
  const steps = Array.from({ length: turns }, (_, revision) =>
    streams.flatMap(({ stream, category, types }) => {
      const type = types[revision]
      return type === undefined ? [] : [{ stream, revision, type, category }]
    }),
  ).flat()
  return steps.map(({ stream, revision, type, category }, n) => {
    const id = derivedId(stream, revision)
    const at = new Date(BEGIN + n * 1_000).toISOString()
    const metadata = { at, actor: { kind: 'cli', id: 'test' }, correlationId: id, causationId: id } as const
    return { stream, revision, event: { id, type, data: dataOf(category, type, named), metadata } }
  })
}

/** Appends histories by turns. */
export async function appendHistories(log: EventLog, histories: readonly (readonly Step[])[]): Promise<void> {
  const longest = Math.max(...histories.map(({ length }) => length))
  for (let n = 0; n < longest; n += 1) {
    for (const { stream, revision, event } of histories.flatMap((history) => history[n] ?? [])) {
      await log.append(stream, [event], revision - 1)
    }
  }
}

function idOf(workspaceId: string, category: string, nth: number): string {
  return NAMED_BY_THEIR_WORKSPACE.includes(category) ? workspaceId : `${category}_${nth}_of_${workspaceId}`
}

/** What events say of each other. */
function namesOf(workspaceId: string): Readonly<Record<string, unknown>> {
  const accountId = idOf(workspaceId, 'account', 0)
  return {
    ...{ workspaceId, accountId, platform: 'x', selections: { x: [accountId] }, attempt: 1 },
    accountIds: [accountId],
    videoId: idOf(workspaceId, 'video', 0),
    feedId: idOf(workspaceId, 'feed', 0),
    webhookId: idOf(workspaceId, 'webhook', 0),
    secretHash: 'a1b2'.repeat(16),
  }
}

const samples = new Map<string, unknown>()

function dataOf(category: string, type: string, named: Readonly<Record<string, unknown>>): object {
  const schema = streamKinds[category]?.events[type]
  if (!schema) throw new Error(`there is no ${type} of a ${category}`)
  const sample = samples.get(type) ?? small(fc.sample(valuesOf(schema), { numRuns: 1, seed: samples.size })[0])
  samples.set(type, sample)
  const data = Object.entries(sample as object).map(([name, value]) => [name, named[name] ?? value])
  return schema.parse(Object.fromEntries(data))
}

function small(value: unknown): unknown {
  if (typeof value === 'number') return Math.abs(value) > LARGEST ? LARGEST : value
  if (typeof value === 'string') return asText(value, LONGEST)
  if (Array.isArray(value)) return value.slice(0, 2).map(small)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, small(inner)]))
}
