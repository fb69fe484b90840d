import { useEffect, useRef, type RefObject } from 'react'
import { useDrop } from 'react-aria'

/** What a dragged post's id travels as. */
export const POST_ID = 'application/x-fanfare-scheduled-post'

/** A time of the calendar that takes scheduled posts which are dropped on it, unless it is over. */
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
 * Has arrow keys go from place to place while a post is carried by keys. What is over does not take the focus, as the component
 * library has it.
 *
 * @param steps by how many places in the document's order each key goes on
 */
export function useArrows(within: RefObject<HTMLElement | null>, { columns, rows }: { columns: number; rows: number }) {
  useEffect(() => {
    const steps: Steps = { ArrowLeft: -columns, ArrowRight: columns, ArrowUp: -rows, ArrowDown: rows }
    const go = ({ key }: KeyboardEvent) => {
      const places = [...(within.current?.querySelectorAll<HTMLElement>('[data-place]') ?? [])]
      const at = places.findIndex((place) => place === document.activeElement)
      if (at >= 0 && key in steps) places[at + steps[key as keyof Steps]]?.focus()
    }
    // Before the component library's own listener, which lets no other hear of a key.
    window.addEventListener('keydown', go, true)
    return () => window.removeEventListener('keydown', go, true)
  }, [within, columns, rows])
}
