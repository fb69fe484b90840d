import type { Drips } from './drips.ts'
import type { Evidence, Outage } from './evidence.ts'
import type { RestoredRun } from './restored.ts'
import { ROWS, RULES_OF, type RowName, type RunRow } from './rows.ts'
import { recoveries } from './rules/answers.ts'
import { RULES, type RuleName, type Verdict } from './rules/index.ts'
import { grouped } from './rules/rule.ts'
import type { SuiteResult } from './suites.ts'

/** One row of the table. */
export interface Outcome {
  readonly row: RowName
  /** What was done, and what came of it. */
  readonly numbers: string
  readonly passed: boolean
}

/** Breaches reported per rule. */
const MOST_TOLD = 8
/** The drips may not more than double what others wait, and may be there for so long (ms). */
const MOST_TIMES_SLOWER = 2
const LONGEST_DRIP_MS = 35_000

export function table(outcomes: readonly Outcome[]): string {
  const lines = outcomes.map(
    ({ row, numbers, passed }) => `| ${row} | ${ROWS[row]} | ${numbers} | ${passed ? 'yes' : '**no**'} |`,
  )
  return ['| # | guarantee | run and result | kept |', '| --- | --- | --- | --- |', ...lines, ''].join('\n')
}

/** What a run with real faults says of a row. */
export function outcomeOfRun(row: RunRow, evidence: Evidence, verdict: Verdict): Outcome {
  const broken = RULES_OF[row].reduce((sum, rule) => sum + verdict[rule].length, 0)
  return { row, numbers: numbersOf[row](evidence, verdict), passed: broken === 0 }
}

const numbersOf: Readonly<Record<RunRow, (evidence: Evidence, verdict: Verdict) => string>> = {
  T1: ({ outages, killsWanted, requested, hooks, videos, calmAt, settledAt, quietAt }, verdict) => {
    const kills = outages.filter(({ kind }) => kind === 'kill')
    const pauses = outages.filter(({ kind }) => kind === 'pause').length
    const upgrades = outages.filter(({ kind }) => kind === 'upgrade').length
    const recycled = [...requested.recycled.values()].reduce((sum, { times }) => sum + times, 0)
    const attempts = hooks.reduce((sum, hook) => sum + hook.attempts.length, 0)
    return [
      `${kills.length} of ${killsWanted} kills (${counts(kills, ({ victim, what }) => what.replace('kill', victim))}), ${pauses} pauses${upgrades > 0 ? `, ${upgrades} upgrades` : ''}`,
      `${requested.posts.size} posts, ${recycled} republished, ${videos.length} videos, ${requested.answered.size} replies, ${attempts} delivery attempts`,
      `${verdict.noDuplicatePost.length} duplicate, ${verdict.noLostPost.length} lost, ${verdict.nothingStuck.length} stuck`,
      `last request answered ${seconds(quietAt - calmAt)} after the last fault, all settled ${seconds(settledAt - quietAt)} after that`,
    ].join('; ')
  },
  T11: (evidence, verdict) => {
    const faults = evidence.outages.filter(({ kind }) => kind === 'network')
    const slowest = Math.max(0, ...recoveries(evidence).map(({ ms }) => ms))
    return [
      `${faults.length} faults (${counts(faults, ({ what }) => what)})`,
      `${verdict.noLostPost.length} lost, ${verdict.errorsInTheEnvelope.length} errors outside the envelope`,
      `slowest recovery ${seconds(slowest)}`,
    ].join('; ')
  },
  T12: ({ history, log, requested }, verdict) =>
    [
      `${history.length} requests against ${log.length} events, ${requested.posts.size} accepted posts`,
      `${verdict.noLostAcknowledgement.length} lost acknowledgements, ${verdict.noStatusGoesBack.length} steps back`,
      `${verdict.modelsEqualRebuild.length} rows that differ from a rebuild`,
    ].join('; '),
}

export function outcomeOfSuite(row: RowName, { files, settings, passed, failed, took }: SuiteResult): Outcome {
  const set = Object.entries(settings).map(([name, value]) => `, ${name}=${value}`)
  const numbers = `${files.join(', ')}${set.join('')}: ${passed} checks passed, ${failed} failed, ${took} s`
  return { row, numbers, passed: failed === 0 && passed > 0 }
}

export function outcomeOfDrips({ sockets, longest, failures, p99Before, p99During }: Drips): Outcome {
  const times = p99During / p99Before
  const numbers = `${sockets} sockets, the longest open for ${seconds(longest)}; others: p99 ${p99Before.toFixed(1)} ms before, ${p99During.toFixed(1)} ms during (${times.toFixed(2)} times), ${failures} failures`
  return { row: 'T16', numbers, passed: times <= MOST_TIMES_SLOWER && longest <= LONGEST_DRIP_MS && failures === 0 }
}

export function outcomeOfRestored(run: RestoredRun): Outcome {
  const { accepted, acceptedLater, found, waiting, twice, lost, stuck, sentWhileHeld } = run
  const numbers = [
    `${accepted} posts accepted before the backup, ${acceptedLater} after, ${found} found live, ${waiting} held until the release`,
    `${twice.length} twice, ${lost.length} lost, ${stuck.length} stuck, ${sentWhileHeld} sent while held`,
  ].join('; ')
  const passed = found > 0 && [twice, lost, stuck].every((broken) => broken.length === 0) && sentWhileHeld === 0
  return { row: 'T20', numbers, passed }
}

/** Every rule that was broken, with the first of how. */
export function breaches(verdict: Verdict): string {
  return Object.entries(verdict)
    .filter(([, broken]) => broken.length > 0)
    .map(([name, broken]) => {
      const told = broken.slice(0, MOST_TOLD).map((how) => `  - ${how}`)
      const more = broken.length > MOST_TOLD ? [`  - and ${broken.length - MOST_TOLD} more`] : []
      return [`BROKEN: ${RULES[name as RuleName].name}`, ...told, ...more, ''].join('\n')
    })
    .join('\n')
}

export function happened(counted: Readonly<Record<string, number>>): string {
  const lines = Object.entries(counted).map(([what, times]) => `| ${what} | ${times === 0 ? '**never**' : times} |`)
  return ['| event | times |', '| --- | --- |', ...lines, ''].join('\n')
}

function counts(outages: readonly Outage[], of: (outage: Outage) => string): string {
  return [...grouped(outages, of)]
    .map(([name, all]) => `${name} ${all.length}`)
    .toSorted()
    .join(', ')
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
