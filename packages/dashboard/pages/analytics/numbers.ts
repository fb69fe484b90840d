import { locale } from '../../parts/words.ts'
const whole = new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 })
const compact = new Intl.NumberFormat(locale(), { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 })
const signed = new Intl.NumberFormat(locale(), {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
})

/** A number that no platform reports is not zero. */
export function shown(value: number | undefined): string {
  return value === undefined ? '–' : value < 10_000 ? whole.format(value) : compact.format(value)
}

export function shownRate(value: number | undefined): string {
  return value === undefined ? '–' : percent.format(value)
}

/** The change as a share of what was before; undefined where there was nothing, or nothing is known. */
export function changeOf(now: number | undefined, before: number | undefined): number | undefined {
  return now === undefined || !before ? undefined : (now - before) / before
}

export function shownChange(change: number): string {
  return signed.format(change)
}
