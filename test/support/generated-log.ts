import fc from 'fast-check'
import { streamKinds } from '../../domain/log/event-kinds.ts'
import type { EventSchemas } from '../../domain/core/event.ts'
import { derivedId } from '../../domain/core/ids.ts'
import { NO_STREAM, type EventLog } from '../../event-log/event-log.ts'
import { valuesOf } from './generated.ts'

const MOST_CHARACTERS = 200
const MOST_SLOTS = 100
const BEGAN = Date.UTC(2026, 0, 1)

/**
 * Fills a log with streams of every kind, the same for one seed. One in two goes through every event of its kind, the
 * others only begin; what ends all would else leave nothing.
 */
export async function writeGenerated(log: EventLog, seed: number, rounds = 4): Promise<void> {
  let written = 0
  const draw = (schema: EventSchemas[string]): object => {
    const [data] = fc.sample(valuesOf(schema), { numRuns: 1, seed: seed + written })
    return Object(schema.parse(JSON.parse(JSON.stringify(data), small)))
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [category, { events }] of Object.entries(streamKinds)) {
      const stream = `${category}-${category}_${seed}_${round}`
      const types = Object.entries(events).slice(0, round % 2 === 0 ? undefined : 1)
      for (const [index, [type, schema]] of types.entries()) {
        const id = derivedId(stream, type)
        written += 1
        const at = new Date(BEGAN + written * 1000).toISOString()
        const metadata = { at, actor: { kind: 'cli', id: 'test' }, correlationId: id, causationId: id } as const
        await log.append(stream, [{ id, type, data: draw(schema), metadata }], NO_STREAM + index)
      }
    }
  }
}

/** A log takes less than all that a schema lets in, and a column of whole numbers, too. */
function small(name: string, value: unknown): unknown {
  if (typeof value === 'string') return Array.from(value).slice(0, MOST_CHARACTERS).join('')
  // Erasing a post's numbers names the row of each slot so far: a million of them would hold up the process for seconds.
  if (name === 'slot') return Number(value) % MOST_SLOTS
  return typeof value === 'number' ? value % 1_000_000 : value
}
