import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { answered, api } from '../client/client.ts'
import { pageAfter, useList } from '../client/queries.ts'
import type { Reply } from '../client/types.ts'
import { Choice } from '../parts/fields.tsx'
import { List } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty } from '../parts/shown.tsx'
import { useUrlState } from '../parts/url-state.ts'
import { ReplyItem } from './inbox/reply-item.tsx'

const STATES = [
  { value: 'pending', label: 'To review' },
  { value: 'failed', label: 'Failed' },
  { value: 'sent', label: 'Sent' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'superseded', label: 'Superseded' },
] as const
type State = (typeof STATES)[number]['value']

export default function Inbox() {
  const [status, setStatus] = useUrlState<State>('status', 'pending')
  const replies = useList(['reply', 'list', status], (cursor) =>
    answered(api.GET('/replies/pending', { params: { query: { ...pageAfter(cursor), status } } })),
  )
  return (
    <Page title="Review inbox" intro="Drafted replies that wait for your approval.">
      <div className="filters">
        <Choice label="Show" value={status} options={STATES} onChange={(value) => setStatus(value as State)} />
        <p className="hint keys">
          <kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>a</kbd> approve · <kbd>e</kbd> edit · <kbd>g</kbd> draft again
          · <kbd>x</kbd> reject
        </p>
      </div>
      <Card>
        <List
          query={replies}
          items={(page) => page.replies}
          empty={
            <Empty title={status === 'pending' ? 'No replies to review' : 'No replies'}>
              Drafts come from accounts whose automation is “Draft a reply for my approval”, and from “Draft with AI” on
              a comment.
            </Empty>
          }
        >
          {(items) => <Review items={items} />}
        </List>
      </Card>
    </Page>
  )
}

/** One reply has the focus and receives the keys; when it is removed, the next one takes the focus. */
function Review({ items }: { readonly items: readonly Reply[] }) {
  const [focused, setFocused] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const hadFocus = useRef(false)

  const focus = (index: number) => {
    const to = Math.min(Math.max(index, 0), items.length - 1)
    setFocused(to)
    list.current?.querySelectorAll<HTMLElement>(':scope > li')[to]?.focus()
  }
  const ids = items.map(({ id }) => id).join()
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) focus(focused)
    // Only when replies were added or removed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [ids])

  /** Each key presses the button that names it, if present. */
  const press = (key: string) => {
    const current = list.current?.querySelectorAll(':scope > li')[focused]
    const button = current?.querySelector<HTMLElement>(`[data-key=${CSS.escape(key)}]`)
    button?.click()
    return button
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const inText = event.target instanceof HTMLElement && event.target.closest('textarea, input, [role=dialog]')
    if (inText || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'j' || event.key === 'ArrowDown') focus(focused + 1)
    else if (event.key === 'k' || event.key === 'ArrowUp') focus(focused - 1)
    else if (!press(event.key)) return
    event.preventDefault()
  }

  return (
    <ul className="items review" ref={list} onKeyDown={onKeyDown} onFocus={() => (hadFocus.current = true)}>
      {items.map((reply, index) => (
        <li
          key={reply.id}
          tabIndex={index === Math.min(focused, items.length - 1) ? 0 : -1}
          aria-label={`Reply to ${reply.commentAuthor ?? 'a comment'}`}
          onFocus={() => setFocused(index)}
        >
          <ReplyItem reply={reply} />
        </li>
      ))}
    </ul>
  )
}
