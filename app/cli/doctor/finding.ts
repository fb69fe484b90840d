export interface Finding {
  /** What was looked at, in a word. */
  readonly check: string
  /** A warning concerns somebody's account, feed or webhook, or will be a problem; a problem concerns the service. */
  readonly level: 'ok' | 'warning' | 'problem'
  readonly finding: string
  /** What helps; absent when all is well. */
  readonly remedy?: string
}

export interface Fault {
  readonly finding: string
  readonly remedy: string
}

/** So that a thousand accounts of one kind do not hide the rest. */
const MOST_TOLD = 20

/** One finding for each fault, the first of many; when there is none, that all is well. */
export function findings(
  check: string,
  level: 'warning' | 'problem',
  faults: readonly Fault[],
  well: string,
): readonly Finding[] {
  if (faults.length === 0) return [{ check, level: 'ok', finding: well }]
  const told = faults.slice(0, MOST_TOLD).map((fault) => ({ check, level, ...fault }))
  const left = faults.length - told.length
  if (left === 0) return told
  return [...told, { check, level, finding: `${left} more like these`, remedy: 'Mend these first, then look again.' }]
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
