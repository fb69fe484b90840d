import { Session } from 'node:inspector/promises'
import fc from 'fast-check'
import t from 'tap'
import { finalText } from '../domain/post/caption.ts'
import { detect } from '../platforms/bluesky/rich-text.ts'
import { platforms } from '../platforms/registry.ts'
import { trimEnd } from '../infra/runtime/trim-end.ts'

/*
 * What a stranger writes must cost in proportion to its length. Work is counted in executed blocks, not in time; patterns, whose
 * work V8 does not count, are held by the linter (`architecture.unit.ts`).
 */

const session = new Session()
session.connect()
t.teardown(() => session.disconnect())

async function blocksRun(work: () => unknown): Promise<number> {
  await session.post('Profiler.takePreciseCoverage')
  work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .flatMap(({ functions }) => functions)
    .flatMap(({ ranges }) => ranges)
    .reduce((sum, { count }) => sum + count, 0)
}

const units = [...'a .,:;!?@#$/()[]{}_-\n\t', 'http://', 'www.', '.com', '\u{1f600}', '\u200d', '\ufe0f']
const unit = fc.string({ unit: fc.constantFrom(...units), minLength: 1, maxLength: 4 })
const works: readonly [string, (text: string) => unknown][] = [
  ...Object.values(platforms).map((platform): [string, (text: string) => unknown] => [
    `the rules of ${platform.key}`,
    (text) => platform.check({ text, mediaType: platform.takes.image ? 'image' : 'video' }, undefined),
  ]),
  ['rich text', detect],
  ['a final text', (caption) => finalText({ caption, captionOverrides: {}, hashtags: caption.split(' ') }, 'x')],
  ['a trimmed text', (text) => trimEnd(`${text}x${text}`, /^[.,;:!?/]$/)],
]

t.test('given a text of anything repeated, when it is twice as long, then it takes twice the work', async (t) => {
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  for (const [name, work] of works) {
    await fc.assert(
      fc.asyncProperty(unit, fc.constantFrom('', 'x'), async (part, end) => {
        const once = await blocksRun(() => work(`${part.repeat(2_000)}${end}`))
        const twice = await blocksRun(() => work(`${part.repeat(4_000)}${end}`))
        if (twice > 2.5 * once + 5_000) throw new Error(`${JSON.stringify(part)}: ${once} blocks, then ${twice}`)
      }),
      { numRuns: 15 },
    )
    t.pass(name)
  }
  const quadratic = (text: string) => {
    let pairs = 0
    for (const one of text) for (const other of text) pairs += one < other ? 1 : 0
    return pairs
  }
  const [once, twice] = [
    await blocksRun(() => quadratic('a'.repeat(500))),
    await blocksRun(() => quadratic('a'.repeat(1_000))),
  ]
  t.ok(twice > 3.5 * once, 'the measure sees what grows faster')
})
