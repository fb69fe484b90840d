import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { shown } from './numbers.ts'

const HEIGHT = 220
const BAR_WIDTH = 0.7
const WIDEST_BAR = 48
const HALF_A_DAY_S = 43_200
/** Width (px) of a day's label. */
const DAY_WIDTH = 64
const DARK = '(prefers-color-scheme: dark)'

const dayName = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const longDayName = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })

export interface DayValue {
  /** Format `2026-11-22`. */
  readonly day: string
  readonly value: number
}

/**
 * One bar per day; hovering shows its value. The chart is drawn on a canvas, so the page has the same data as a table beside it;
 * screen readers only get `label`.
 */
export function BarChart({ label, values }: { readonly label: string; readonly values: readonly DayValue[] }) {
  const place = useRef<HTMLDivElement>(null)
  const said = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const { current } = place
    if (!current) return
    const say = (index: number | null | undefined) => {
      const pointed = values[index ?? -1]
      if (said.current) said.current.textContent = pointed ? `${nameOf(pointed.day)}: ${shown(pointed.value)}` : ''
    }
    let chart = draw(current, values, say)
    const again = () => {
      chart.destroy()
      chart = draw(current, values, say)
    }
    const size = new ResizeObserver(() => chart.setSize({ width: current.clientWidth, height: HEIGHT }))
    size.observe(current)
    const theme = new MutationObserver(again)
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const scheme = window.matchMedia(DARK)
    scheme.addEventListener('change', again)
    return () => {
      size.disconnect()
      theme.disconnect()
      scheme.removeEventListener('change', again)
      chart.destroy()
    }
  }, [label, values])
  return (
    <>
      <p ref={said} className="hint chart-said" aria-hidden />
      <div ref={place} className="chart" role="img" aria-label={label} />
    </>
  )
}

function nameOf(day: string): string {
  return longDayName.format(new Date(`${day}T12:00`))
}

/** @param say called with the hovered bar, or with none */
function draw(place: HTMLElement, values: readonly DayValue[], say: (index: number | null | undefined) => void): UPlot {
  const [line, text, accent] = coloursOf(place)
  const days = values.map(({ day }) => Date.parse(`${day}T00:00`) / 1000)
  const axis: UPlot.Axis = { stroke: text ?? '', grid: { stroke: line ?? '', width: 1 }, ticks: { stroke: line ?? '' } }
  return new UPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: {
        x: { range: (_, first, last) => [first - HALF_A_DAY_S, last + HALF_A_DAY_S] },
        y: { range: (_, _least, most) => [0, Math.max(most, 1) * 1.1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: DAY_WIDTH,
          incrs: [1, 2, 4, 7, 14, 28].map((days) => days * 2 * HALF_A_DAY_S),
          values: (_, splits) => splits.map((at) => dayName.format(at * 1000)),
        },
        { ...axis, size: 56, values: (_, splits) => splits.map(shown) },
      ],
      hooks: { setCursor: [({ cursor }) => say(cursor.idx)] },
      series: [
        {},
        {
          fill: accent ?? '',
          width: 0,
          points: { show: false },
          paths: UPlot.paths.bars?.({ size: [BAR_WIDTH, WIDEST_BAR] }) ?? (() => null),
        },
      ],
    },
    [days, values.map(({ value }) => value)],
    place,
  )
}

/** A canvas cannot use custom properties, so an element resolves them. */
function coloursOf(place: HTMLElement): readonly string[] {
  const probe = place.appendChild(document.createElement('span'))
  const colours = ['--line', '--muted', '--accent'].map((name) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  })
  probe.remove()
  return colours
}
