import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Comment } from '../../client/types.ts'
import { toast } from '../../parts/toasts.tsx'
import { Bulk } from './bulk.tsx'
import { Keys } from './keys.tsx'
import { Row } from './row.tsx'
import { keyOf, type Change, type Settling, type InboxState } from './settle.ts'
import { Thread } from './thread.tsx'

/** Where keys are text, or belong to a dialog. */
const OTHERS_KEYS = 'textarea, input:not([type=checkbox]), select, [role=dialog]'

/** The list, and beside it the chosen comment with what can be done about it. Keys work wherever the focus is. */
export function Threads(props: {
  readonly items: readonly Comment[]
  readonly state: InboxState
  readonly mayWrite: boolean
  readonly settling: Settling
}) {
  const { items, state, mayWrite, settling } = props
  const shown = items.filter((comment) => !settling.leaving.has(keyOf(comment)))
  const [chosen, setChosen] = useState({ key: '', index: 0 })
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  /** On a phone, the comment covers the list. */
  const [isOpen, setOpen] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const pane = useRef<HTMLElement>(null)

  // What takes the place of one that has left is chosen next.
  const found = shown.findIndex((comment) => keyOf(comment) === chosen.key)
  const at = found < 0 ? Math.min(chosen.index, shown.length - 1) : found
  const current = shown[at]
  const currentKey = current && keyOf(current)
  // Comments that come in above it do not take its place.
  if (currentKey !== undefined && (chosen.key !== currentKey || chosen.index !== at)) {
    setChosen({ key: currentKey, index: at })
  }

  const focus = () => list.current?.querySelector<HTMLElement>('[aria-current]')?.focus()
  const choose = useCallback((key: string, index: number) => setChosen({ key, index }), [setChosen])
  const open = useCallback(() => setOpen(true), [setOpen])
  const check = useCallback(
    (key: string) => setChecked((now) => new Set(now.has(key) ? [...now].filter((one) => one !== key) : [...now, key])),
    [setChecked],
  )
  useEffect(() => {
    // What had the focus has left.
    if (document.activeElement === document.body) focus()
  }, [currentKey])

  const go = (by: number) => {
    const index = Math.min(Math.max(at + by, 0), shown.length - 1)
    const next = shown[index]
    if (!next) return
    choose(keyOf(next), index)
    requestAnimationFrame(focus)
  }
  /** Each key presses the button that names it, if present. */
  const press = (key: string) => {
    const button = pane.current?.querySelector<HTMLElement>(`[data-key=${key}]`)
    button?.click()
    return button
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isElsewhere = event.target instanceof HTMLElement && event.target.closest(OTHERS_KEYS) !== null
    if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (event.key === 'j') go(1)
    else if (event.key === 'k') go(-1)
    // A key that is held down must not answer all.
    else if (event.repeat) return
    else if (event.key === 's' && mayWrite && currentKey !== undefined) check(currentKey)
    else if (event.key === 'e') pane.current?.querySelector('textarea')?.focus()
    else if (!/^[a-z]$/.test(event.key) || !press(event.key)) return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])

  const settle = (comment: Comment, change: Change) => {
    void settling.settle(comment, change).then((text) => text !== undefined && toast({ text }))
  }
  const canSelect = mayWrite && state !== 'done'
  return (
    <>
      {canSelect && (
        <div className="inbox-bar">
          <Bulk
            all={shown}
            chosen={shown.filter((comment) => checked.has(keyOf(comment)))}
            state={state}
            onChoose={(comments) => setChecked(new Set(comments.map(keyOf)))}
            settle={settling.settle}
          />
          <Keys state={state} />
        </div>
      )}
      <div className="inbox">
        <ul className="threads" ref={list} aria-label={t`Comments and mentions`}>
          {shown.map((comment, index) => (
            <Row
              key={keyOf(comment)}
              comment={comment}
              index={index}
              isCurrent={index === at}
              isChecked={checked.has(keyOf(comment))}
              canSelect={canSelect}
              onChoose={choose}
              onOpen={open}
              onCheck={check}
            />
          ))}
        </ul>
        {current && (
          <section
            className={isOpen ? 'thread card opened' : 'thread card'}
            ref={pane}
            aria-label={current.kind === 'mention' ? t`Mention by ${current.author}` : t`Comment by ${current.author}`}
          >
            <Thread
              key={`${currentKey} ${current.reply?.draft}`}
              comment={current}
              mayWrite={mayWrite}
              onSettle={settle}
              onLeave={focus}
              onClose={() => setOpen(false)}
            />
          </section>
        )}
      </div>
    </>
  )
}
