import type { MediaFacts } from '../../infra/media/media.ts'

export function ratioOf({ width, height }: MediaFacts): number | undefined {
  return width === undefined || height === undefined ? undefined : width / height
}

export function shownRatio(ratio: number): string {
  return `${Number(ratio.toPrecision(3))}:1`
}

export function shownSeconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(3))} s`
}
