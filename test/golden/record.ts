import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { exported } from '../../app/cli/move/export.ts'
import { streamKinds } from '../../domain/log/event-kinds.ts'
import { systemClock } from '../../infra/runtime/clock.ts'
import { memoryLog } from '../support/memory-log.ts'
import { everyEvent } from './every-event.ts'
import { asText, current, RECORDED, recorded } from './recorded.ts'

const HELP = `npm run golden [-- --release NAME]

Records the schemas of events and the hashes of migrations that are not recorded yet (test/golden/recorded.json).
What is recorded never changes: see "Change an event" in CONTRIBUTING.md.

  --release NAME   also write test/golden/NAME.jsonl, an export with every type of event as this version writes it
  --help           show this help
`

const { values } = parseArgs({ options: { release: { type: 'string' }, help: { type: 'boolean' } } })
if (values.help) process.stdout.write(HELP)
else {
  const [before, now] = [recorded(), current()]
  const schemas = { ...now.schemas, ...before.schemas }
  writeFileSync(RECORDED, asText({ schemas, migrations: { ...now.migrations, ...before.migrations } }))
  if (values.release !== undefined) {
    writeFileSync(new URL(`${values.release}.jsonl`, import.meta.url), await everyEventExported(values.release))
  }
}

async function everyEventExported(version: string): Promise<string> {
  const log = memoryLog()
  for (const { stream, revision, event } of everyEvent(streamKinds)) await log.append(stream, [event], revision - 1)
  const db = { query: async () => ({ rows: [{ id: crypto.randomUUID() }] }) }
  let text = ''
  const deps = { db: db as never, log, clock: systemClock, version, logKind: 'postgres' } as const
  for await (const part of exported(deps, undefined, () => undefined)) text += part
  return text
}
