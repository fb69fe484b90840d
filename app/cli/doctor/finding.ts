export interface Finding {
  /** What was checked, in one word. */
  readonly check: string
  /** A warning concerns someone's account, feed or webhook, or will become a problem; a problem concerns the service. */
  readonly level: 'ok' | 'warning' | 'problem'
  readonly finding: string
  /** How to fix it; absent if all is well. */
  readonly remedy?: string
}

export interface Fault {
  readonly finding: string
  readonly remedy: string
}

/** So that a thousand faults of one kind do not hide the rest. */
const MOST_REPORTED = 20

/** One finding per fault, up to a limit; without any, a finding that all is well. */
export function findings(
  check: string,
  level: 'warning' | 'problem',
  faults: readonly Fault[],
  well: string,
): readonly Finding[] {
  if (faults.length === 0) return [{ check, level: 'ok', finding: well }]
  const reported = faults.slice(0, MOST_REPORTED).map((fault) => ({ check, level, ...fault }))
  const left = faults.length - reported.length
  if (left === 0) return reported
  return [
    ...reported,
    { check, level, finding: `${left} more like these`, remedy: 'Fix these first, then run fanfare doctor again.' },
  ]
}

export function fault(check: string, finding: string, remedy: string): Finding {
  return { check, level: 'problem', finding, remedy }
}

export function ok(check: string, finding: string): Finding {
  return { check, level: 'ok', finding }
}

export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
