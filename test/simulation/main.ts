import { parseArgs } from 'node:util'
import { INVARIANTS, type Invariant } from './invariants.ts'
import { simulate } from './simulate.ts'

const HELP = `npm run simulate -- [options]

Runs the real decisions and the real reactors of publishing against platforms, processes and a log that exist only in
memory, on a clock that jumps to what happens next. Processes die at any step, responses are lost, platforms refuse,
rate-limit and go away, clocks are wrong, and users schedule, move, cancel and retry. Then everything works for hours,
and the invariants below are checked. Exits with 1 if one is broken. What happens follows from the seed alone.

  --seed N     the first seed, default 1
  --seeds N    how many seeds, default 1
  --trace      print the log and what the platforms have, line by line
  --json       print the result as JSON
  --help       show this help
`
const TOLD_EVERY_MS = 5_000
const MOST_SHOWN = 10

const write = (text: string): Promise<void> => new Promise((resolve) => process.stdout.write(text, () => resolve()))

function given() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '1' },
      trace: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const [seed, seeds] = [Number(values.seed), Number(values.seeds)]
  if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number')
  if (!Number.isSafeInteger(seeds) || seeds < 1) throw new Error('--seeds must be a whole number from 1')
  return { ...values, seed, seeds }
}

async function main(): Promise<number> {
  const { seed: first, seeds, ...asked } = given()
  if (asked.help) {
    await write(HELP)
    return 0
  }
  const breaches: { readonly seed: number; readonly invariant: Invariant; readonly what: string }[] = []
  const counts: Record<string, number> = {}
  const began = performance.now()
  let told = began
  for (let seed = first; seed < first + seeds; seed += 1) {
    const { broken, counts: counted, trace } = await simulate(seed)
    for (const [name, count] of Object.entries(counted)) counts[name] = (counts[name] ?? 0) + count
    for (const [invariant, found] of Object.entries(broken)) {
      breaches.push(...found.map((what) => ({ seed, invariant: invariant as Invariant, what })))
    }
    if (asked.trace) await write(`${trace.join('\n')}\n\n`)
    if (performance.now() - told < TOLD_EVERY_MS) continue
    told = performance.now()
    process.stderr.write(`${seed - first + 1} of ${seeds} seeds, ${breaches.length} breaches\n`)
  }
  if (asked.json) {
    await write(`${JSON.stringify({ seed: first, seeds, counts, breaches }, undefined, 2)}\n`)
    return breaches.length === 0 ? 0 : 1
  }
  const lines = Object.keys(INVARIANTS).map((invariant) => {
    const found = breaches.filter((breach) => breach.invariant === invariant)
    const shown = found.slice(0, MOST_SHOWN).map(({ seed, what }) => `        seed ${seed}: ${what}`)
    return [`${found.length === 0 ? 'kept  ' : 'BROKEN'}  ${invariant}`, ...shown].join('\n')
  })
  const total = Object.entries(counts).map(([name, count]) => `${count.toLocaleString('en')} ${name}`)
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  const what = seeds === 1 ? `Seed ${first}` : `Seeds ${first} to ${first + seeds - 1}`
  await write(`${lines.join('\n')}\n\n${what}: ${total.join(', ')}; ${seconds} s.\n`)
  const [breach] = breaches
  if (breach) await write(`See what happened: npm run simulate -- --seed ${breach.seed} --trace\n`)
  return breach ? 1 : 0
}

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.message} (see --help for the options)\n`)
  return 1
})
