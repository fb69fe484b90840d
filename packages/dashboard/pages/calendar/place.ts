import { useEffect, useRef, type RefObject } from 'react'
import { useDrop } from 'react-aria'

/** The drag type that carries a post's id. */
export const POST_ID = 'application/x-fanfare-scheduled-post'

/** A calendar slot that accepts dropped scheduled posts, unless it is in the past. */
export function usePlace<Cell extends HTMLElement>(isOver: boolean, onDropped: (id: string) => void) {
  const ref = useRef<Cell>(null)
  const { dropProps, isDropTarget } = useDrop({
    ref,
    getDropOperation: (types) => (types.has(POST_ID) && !isOver ? 'move' : 'cancel'),
    onDrop: ({ items }) => {
      const [item] = items
      if (item?.kind === 'text') void item.getText(POST_ID).then(onDropped)
    },
  })
  return { isDropTarget, props: { ...dropProps, ref, tabIndex: -1, 'data-place': '' } }
}

type Steps = Readonly<Record<'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown', number>>

/**
 * Moves between slots with the arrow keys while a post is dragged by keyboard. Slots in the past do not take the focus, because
 * of the component library.
 *
 * @param steps how many slots, in document order, each key moves
 */
export function useArrows(within: RefObject<HTMLElement | null>, { columns, rows }: { columns: number; rows: number }) {
  useEffect(() => {
    const steps: Steps = { ArrowLeft: -columns, ArrowRight: columns, ArrowUp: -rows, ArrowDown: rows }
    const go = ({ key }: KeyboardEvent) => {
      const places = [...(within.current?.querySelectorAll<HTMLElement>('[data-place]') ?? [])]
      const at = places.findIndex((place) => place === document.activeElement)
      if (at >= 0 && key in steps) places[at + steps[key as keyof Steps]]?.focus()
    }
    // Capture before the component library's own listener, which stops propagation of all keys.
    window.addEventListener('keydown', go, true)
    return () => window.removeEventListener('keydown', go, true)
  }, [within, columns, rows])
}
