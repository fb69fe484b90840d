import { useEffect, useRef } from 'react'
import UPlot from 'uplot'

const HEIGHT = 220
const BAR_WIDTH = 0.7
const WIDEST_BAR = 48
const HALF_A_DAY_S = 43_200
const DARK = '(prefers-color-scheme: dark)'

export interface DayValue {
  /** The day, as `2026-11-22`. */
  readonly day: string
  readonly value: number
}

/** A bar a day. It is drawn, so the page has the same as a table beside it; screen readers are told `label` only. */
export function BarChart({ label, values }: { readonly label: string; readonly values: readonly DayValue[] }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = place
    if (!current) return
    let chart = draw(current, label, values)
    const again = () => {
      chart.destroy()
      chart = draw(current, label, values)
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
  return <div ref={place} className="chart" role="img" aria-label={label} />
}

function draw(place: HTMLElement, label: string, values: readonly DayValue[]): UPlot {
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
        { ...axis, grid: { show: false } },
        { ...axis, size: 56 },
      ],
      series: [
        {},
        {
          label,
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

/** A canvas knows no custom properties: they are worked out on an element. */
function coloursOf(place: HTMLElement): readonly string[] {
  const probe = place.appendChild(document.createElement('span'))
  const colours = ['--line', '--muted', '--accent'].map((name) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  })
  probe.remove()
  return colours
}
