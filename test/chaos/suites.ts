import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Rows that tests hold which need no real time: by row, its files and what they are set to. */
export const SUITES = {
  T2: { files: ['crash-points'] },
  T3: { files: ['delivery-proof', 'deliveries-model'], settings: { FANFARE_TEST_DELIVERIES: '10000' } },
  T4: { files: ['delivery-proof', 'deliveries-model'], settings: { FANFARE_TEST_DELIVERIES: '10000' } },
  T5: { files: ['api-bodies'] },
  T6: { files: ['tenants'] },
  T7: { files: ['videos-model', 'recycling-model', 'analytics-model', 'deciders'] },
  T8: { files: ['api-idempotency'] },
  T9: { files: ['api-limits'] },
  T10: { files: ['outbound-ssrf'] },
  T17: { files: ['feeds-hostile'] },
} as const satisfies Readonly<
  Record<string, { readonly files: readonly string[]; readonly settings?: Readonly<Record<string, string>> }>
>
export type SuiteName = keyof typeof SUITES

export interface SuiteResult {
  readonly files: readonly string[]
  readonly settings: Readonly<Record<string, string>>
  /** Assertions. */
  readonly passed: number
  readonly failed: number
  /** What the first of those that failed are called. */
  readonly broken: readonly string[]
  /** Seconds. */
  readonly took: number
}

const folder = fileURLToPath(new URL('..', import.meta.url))
/** The name of a test with a failure is printed too, after it. */
const BROKEN = /^ +not ok \d+ - (.*?)(?: # time=.*)?$/gm
const MOST_TOLD = 8
const COUNTS = /^# \{ total: \d+, pass: (\d+)(?:, fail: (\d+))?/gm

/** Runs the tests of these rows; those of two rows but once. */
export async function suites(
  names: readonly SuiteName[],
  progress: (line: string) => void,
): Promise<ReadonlyMap<SuiteName, SuiteResult>> {
  const results = new Map<string, SuiteResult>()
  const found = new Map<SuiteName, SuiteResult>()
  for (const name of names) {
    const files = SUITES[name].files.join(', ')
    if (!results.has(files)) progress(`${name}: ${files}`)
    const result = results.get(files) ?? (await suite(name))
    if (!results.has(files)) for (const what of result.broken) progress(`${name} failed: ${what}`)
    results.set(files, result)
    found.set(name, result)
  }
  return found
}

/** As `npm test` does; counts what tap reports. */
async function suite(name: SuiteName): Promise<SuiteResult> {
  const { files, settings = {} }: { files: readonly string[]; settings?: Readonly<Record<string, string>> } =
    SUITES[name]
  const began = performance.now()
  const names = files.map((file) => `${file}.`)
  const child = spawn(process.execPath, ['run.js', '--verbose', '--jobs', '1', ...names], {
    cwd: folder,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  const [, passed = '0', failed = '0'] = [...said.matchAll(COUNTS)].at(-1) ?? []
  const took = Math.round((performance.now() - began) / 1_000)
  const broken = [...said.matchAll(BROKEN)].slice(0, MOST_TOLD).map(([, what = '']) => what)
  const counted = { passed: Number(passed), failed: Math.max(Number(failed), code === 0 ? 0 : 1) }
  return { files, settings, ...counted, broken, took }
}
