import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'
import { ticksFor } from './metrics.ts'

const HEIGHT = 240
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 4, 10, 24]
/** Width (px) of the name of a column. */
const NAME_WIDTH = 64
/** How much of its place a column takes, and how wide (px) it is at most. */
const FILLED = 0.7
const WIDEST = 48

export interface ShownColumn {
  readonly name: string
  /** From the bottom up. */
  readonly parts: readonly { readonly color: string; readonly value: number }[]
  readonly total: number | undefined
  readonly before: number | undefined
}

/**
 * Stacked columns, and a dashed line of the period before. The page has the same numbers as a table, and says those of the
 * column that is pointed at; screen readers get `label`.
 */
export function ColumnChart(props: {
  readonly label: string
  readonly columns: readonly ShownColumn[]
  readonly format: (value: number) => string
  readonly chart: RefObject<SVGSVGElement | null>
  readonly onPoint: (index: number | undefined) => void
}) {
  const { label, columns, format, chart, onPoint } = props
  const [place, width] = useWidth()
  const ticks = ticksFor(Math.max(0, ...columns.flatMap(({ total = 0, before = 0 }) => [total, before])))
  const top = ticks.at(-1) ?? 1
  const step = (width - LEFT - RIGHT) / columns.length
  const middle = (index: number) => LEFT + (index + 0.5) * step
  const y = (value: number) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM)
  const named = Math.ceil(NAME_WIDTH / step)
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const index = Math.floor((clientX - currentTarget.getBoundingClientRect().left - LEFT) / step)
    onPoint(index >= 0 && index < columns.length ? index : undefined)
  }
  const before = columns.flatMap(({ before }, index) => (before === undefined ? [] : [`${middle(index)},${y(before)}`]))
  return (
    <div ref={place} className="chart">
      {width > 0 && (
        <svg
          ref={chart}
          role="img"
          aria-label={label}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          onPointerMove={point}
          onPointerLeave={() => onPoint(undefined)}
        >
          {ticks.map((value) => (
            <g key={value}>
              <line className="chart-line" x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
              <text className="chart-text" x={LEFT - 8} y={y(value) + 4} textAnchor="end">
                {format(value)}
              </text>
            </g>
          ))}
          {columns.map((column, index) => (
            <g key={column.name}>
              <Parts of={column} x={middle(index)} width={Math.min(WIDEST, step * FILLED)} y={y} />
              {(columns.length - 1 - index) % named === 0 && (
                <text className="chart-text" x={middle(index)} y={HEIGHT - 6} textAnchor="middle">
                  {column.name}
                </text>
              )}
            </g>
          ))}
          <polyline className="chart-before" points={before.join(' ')} fill="none" />
        </svg>
      )}
    </div>
  )
}

function Parts(props: {
  readonly of: ShownColumn
  readonly x: number
  readonly width: number
  readonly y: (value: number) => number
}) {
  const { of, x, width, y } = props
  let below = 0
  return of.parts.map(({ color, value }) => {
    const from = below
    below += value
    return (
      <rect
        key={color}
        className={color}
        x={x - width / 2}
        width={width}
        y={y(below)}
        height={Math.max(0, y(from) - y(below))}
      />
    )
  })
}

/** The width (px) of an element. */
function useWidth() {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const { current } = place
    if (!current) return
    const size = new ResizeObserver(() => setWidth(current.clientWidth))
    size.observe(current)
    return () => size.disconnect()
  }, [])
  return [place, width] as const
}
