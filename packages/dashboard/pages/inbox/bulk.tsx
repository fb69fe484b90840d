import { useState } from 'react'
import type { Comment } from '../../client/types.ts'
import { Button } from '../../parts/buttons.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { toast } from '../../parts/toasts.tsx'
import { approve, dismiss, type Change, type Settling, type InboxState } from './settle.ts'

const AT_ONCE = 3

/** Approves or dismisses what is selected. */
export function Bulk(props: {
  readonly all: readonly Comment[]
  readonly chosen: readonly Comment[]
  readonly state: InboxState
  readonly onChoose: (comments: readonly Comment[]) => void
  readonly settle: Settling['settle']
}) {
  const { all, chosen, state, onChoose, settle } = props
  const [isAsking, setAsking] = useState(false)
  const ready = chosen.filter(({ reply }) => reply && reply.draft !== '' && !reply.drafting)
  const run = async (comments: readonly Comment[], change: Change, done: string) => {
    setAsking(false)
    onChoose([])
    const settled = await inParts(comments, (comment) => settle(comment, change))
    const count = settled.filter((text) => text !== undefined).length
    if (count > 0) toast({ text: `${count === 1 ? '1 comment' : `${count} comments`} ${done}.` })
  }
  return (
    <div className="bulk" role="group" aria-label="Selected comments">
      <label>
        <input
          type="checkbox"
          checked={chosen.length > 0 && chosen.length === all.length}
          onChange={({ target }) => onChoose(target.checked ? all : [])}
        />
        {chosen.length === 0 ? 'Select all' : `${chosen.length} selected`}
      </label>
      {chosen.length > 0 && state === 'draft_ready' && (
        <Button small look="main" isDisabled={ready.length === 0} onPress={() => setAsking(true)}>
          Approve selected
        </Button>
      )}
      {chosen.length > 0 && (
        <Button small onPress={() => void run(chosen, dismiss, 'dismissed')}>
          Dismiss selected
        </Button>
      )}
      <Confirm
        title={ready.length === 1 ? 'Send 1 reply?' : `Send ${ready.length} replies?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action="Send"
        back="Back"
        isPending={false}
        onConfirm={() => void run(ready, approve(), 'answered')}
      >
        <p>They are published as drafted.</p>
      </Confirm>
    </div>
  )
}

async function inParts<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(run))))
  }
  return results
}
