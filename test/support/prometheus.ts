import parse from 'parse-prometheus-text-format'
import * as z from 'zod'

const labels = z.record(z.string(), z.string()).default({})
const figure = z.object({ labels, value: z.string().optional(), count: z.string().optional() })
const families = z.array(z.object({ name: z.string(), type: z.string(), metrics: z.array(figure) }))

export interface ParsedMetrics {
  readonly names: readonly string[]
  readonly types: ReadonlyMap<string, string>
  readonly samples: readonly { readonly name: string; readonly labels: Readonly<Record<string, string>> }[]
  /** Of a counter or gauge; of a histogram its count. 0 where there is none. */
  value(name: string, labels: Readonly<Record<string, string>>): number
}

/** The text of /metrics, as somebody else's parser of the format reads it. */
export function parsedMetrics(text: string): ParsedMetrics {
  const found = families.parse(parse(text))
  const samples = found.flatMap(({ name, metrics }) =>
    metrics.flatMap(({ labels, value, count }) => {
      const figure = value ?? count
      return figure === undefined ? [] : [{ name, labels, value: Number(figure) }]
    }),
  )
  return {
    samples,
    names: found.map(({ name }) => name),
    types: new Map(found.map(({ name, type }) => [name, type])),
    value: (name, labels) => {
      const key = sorted(labels)
      return samples.find((sample) => sample.name === name && sorted(sample.labels) === key)?.value ?? 0
    },
  }
}

function sorted(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).sort())
}
