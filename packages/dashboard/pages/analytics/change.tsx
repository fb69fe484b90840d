import { changeOf, shownChange } from './numbers.ts'

/** How a number has changed since the period before; nothing where that is unknown. */
export function Change({ now, before }: { readonly now: number | undefined; readonly before: number | undefined }) {
  const change = changeOf(now, before)
  if (change === undefined) return null
  const tone = Math.abs(change) < 0.005 ? 'same' : change > 0 ? 'up' : 'down'
  return (
    <span className={`change ${tone}`}>
      {tone === 'up' && <span aria-hidden>▲ </span>}
      {tone === 'down' && <span aria-hidden>▼ </span>}
      {shownChange(change)}
    </span>
  )
}
