import { cpus } from 'node:os'
import type { Comparison, Summary } from './rounds.ts'

/** The table in the format of `docs/benchmarks.md`. */
export function table(comparisons: readonly Comparison[]): string {
  const head = ['measure', 'Fanfare', 'against', 'ratio (lowest to highest round)', 'aim', 'met']
  const rows = comparisons.map(({ what, unit, ours, theirs, ratio, aim, met }) => [
    what,
    figures(ours, unit),
    `${theirs.name}: ${figures(theirs, unit)}`,
    `**${number(ratio.median)}** (${number(ratio.min)} to ${number(ratio.max)})`,
    aim === undefined
      ? '-'
      : `${aim.isMost ? 'at most ' : ''}${aim.ratio}${aim.p99Ms === undefined ? '' : `, p99 under ${aim.p99Ms} ms`}`,
    met === undefined ? '-' : met ? 'yes' : 'no',
  ])
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

function figures({ perSecond, p50Ms, p99Ms }: Summary, unit: string): string {
  const latency = p50Ms === undefined || p99Ms === undefined ? '' : `, p50 ${number(p50Ms)} ms, p99 ${number(p99Ms)} ms`
  const { median } = perSecond
  return `${median < 100 ? number(median) : Math.round(median).toLocaleString('en')} ${unit}${latency}`
}

/** A run is not precise enough for more than three digits. */
function number(value: number): string {
  return String(Number(value.toPrecision(3)))
}

export interface Machine {
  readonly cores: number
  readonly cpu: string
  readonly node: string
  readonly postgres: string
  readonly platform: string
}

export function thisMachine(postgres: string): Machine {
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    node: process.version.slice(1),
    postgres,
    platform: `${process.platform} ${process.arch}`,
  }
}

export function machineLine({ cores, cpu, node, postgres, platform }: Machine): string {
  return `${cores} cores (${cpu}), ${platform}, Node ${node}, Postgres ${postgres}`
}
