import type { Step } from './conversation.ts'
import type { RecordedCall } from './recording.ts'

/** What the platform does otherwise than its stand-in in the sandbox. */
export interface Difference {
  readonly step: string
  readonly call: string
  readonly what: string
}

/** Compares two conversations, field by field. */
export function differences(platform: readonly Step[], sandbox: readonly Step[]): readonly Difference[] {
  return platform.flatMap((step) => {
    const other = sandbox.find(({ name }) => name === step.name)
    if (!other || step.outcome === 'skipped') return []
    const [ours, theirs] = [merged(step.calls), merged(other.calls)]
    const outcome =
      step.outcome === other.outcome
        ? []
        : [{ step: step.name, call: '', what: `${step.outcome}; in the sandbox: ${other.outcome}` }]
    const calls = [...new Set([...ours.keys(), ...theirs.keys()])].toSorted()
    return [
      ...outcome,
      ...calls.flatMap((call) =>
        between(ours.get(call), theirs.get(call)).map((what) => ({ step: step.name, call, what })),
      ),
    ]
  })
}

/** Repeated calls of a step, which differ only in ids, count as one. */
function merged(calls: readonly RecordedCall[]): ReadonlyMap<string, RecordedCall> {
  const found = new Map<string, RecordedCall>()
  for (const each of calls) {
    const before = found.get(each.call)
    const joined = (field: 'query' | 'sent' | 'answer' | 'headers') => [
      ...new Set([...(before?.[field] ?? []), ...each[field]]),
    ]
    found.set(each.call, {
      ...{ call: each.call, status: each.status },
      ...{ query: joined('query'), sent: joined('sent'), answer: joined('answer'), headers: joined('headers') },
    })
  }
  return found
}

function between(platform: RecordedCall | undefined, sandbox: RecordedCall | undefined): readonly string[] {
  if (!sandbox) return ['not called in the sandbox']
  if (!platform) return ['called in the sandbox only']
  const status = platform.status === sandbox.status ? [] : [`HTTP ${platform.status}; sandbox: ${sandbox.status}`]
  return [
    ...status,
    ...only(platform.answer, sandbox.answer).map((field) => `answers ${field}; not in the sandbox`),
    ...only(sandbox.answer, platform.answer).map((field) => `does not answer ${field}; in the sandbox`),
    ...only(platform.headers, sandbox.headers).map((name) => `header ${name}; not in the sandbox`),
    ...only(sandbox.headers, platform.headers).map((name) => `no header ${name}; in the sandbox`),
    ...only(platform.sent, sandbox.sent).map((field) => `was sent ${field}; not in the sandbox`),
    ...only(sandbox.sent, platform.sent).map((field) => `was not sent ${field}; in the sandbox`),
  ]
}

function only(some: readonly string[], others: readonly string[]): readonly string[] {
  return some.filter((each) => !others.includes(each))
}
