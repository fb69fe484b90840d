import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Checkbox } from '../../parts/fields.tsx'
import { keep, kept } from '../../parts/kept.ts'

const HIDDEN = 'fanfare-calendar-hidden'
const NAMES = { 'free-slots': t`Free slots`, 'best-times': t`Best times` } as const
/** What the calendar shows beside the posts. */
export type Layer = keyof typeof NAMES

/** Which ones are hidden in this browser; none until somebody chooses. */
export function useLayers() {
  const [hidden, setHidden] = useState<readonly string[]>(() => (kept(HIDDEN) ?? '').split(' '))
  const show = (layer: Layer, isShown: boolean) => {
    const others = hidden.filter((name) => name !== layer)
    const next = isShown ? others : [...others, layer]
    setHidden(next)
    keep(HIDDEN, next.join(' '))
  }
  return { isShown: (layer: Layer) => !hidden.includes(layer), show }
}

export function LayerChoice({
  of,
  offered,
}: {
  readonly of: ReturnType<typeof useLayers>
  readonly offered: readonly Layer[]
}) {
  return (
    <div className="layers">
      {offered.map((layer) => (
        <Checkbox key={layer} isSelected={of.isShown(layer)} onChange={(isShown) => of.show(layer, isShown)}>
          {NAMES[layer]}
        </Checkbox>
      ))}
    </div>
  )
}
