import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Comment } from '../../client/types.ts'
import { Button } from '../../parts/buttons.tsx'
import { Confirm } from '../../parts/dialogs.tsx'
import { toast } from '../../parts/toasts.tsx'
import { AssignSelected } from './assign.tsx'
import { inParts } from './in-parts.ts'
import { approve, dismiss, type Change, type Settling, type InboxState } from './settle.ts'

const dismissed = (count: number) => plural(count, { one: '# comment dismissed.', other: '# comments dismissed.' })
const answered = (count: number) => plural(count, { one: '# comment answered.', other: '# comments answered.' })

/** Approves, dismisses or assigns what is selected. */
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
  const run = async (comments: readonly Comment[], change: Change, done: (count: number) => string) => {
    setAsking(false)
    onChoose([])
    const settled = await inParts(comments, (comment) => settle(comment, change))
    const count = settled.filter((text) => text !== undefined).length
    if (count > 0) toast({ text: done(count) })
  }
  return (
    <div className="bulk" role="group" aria-label={t`Selected comments`}>
      <label>
        <input
          type="checkbox"
          checked={chosen.length > 0 && chosen.length === all.length}
          onChange={({ target }) => onChoose(target.checked ? all : [])}
        />
        {chosen.length === 0 ? t`Select all` : t`${chosen.length} selected`}
      </label>
      {chosen.length > 0 && state === 'draft_ready' && (
        <Button small look="main" isDisabled={ready.length === 0} onPress={() => setAsking(true)}>
          <Trans>Approve selected</Trans>
        </Button>
      )}
      {chosen.length > 0 && (
        <Button small onPress={() => void run(chosen, dismiss, dismissed)}>
          <Trans>Dismiss selected</Trans>
        </Button>
      )}
      {chosen.length > 0 && <AssignSelected comments={chosen} onDone={() => onChoose([])} />}
      <Confirm
        title={plural(ready.length, { one: 'Send # reply?', other: 'Send # replies?' })}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action={t`Send`}
        back={t`Back`}
        isPending={false}
        onConfirm={() => void run(ready, approve(), answered)}
      >
        <p>
          <Trans>They are published as drafted.</Trans>
        </p>
      </Confirm>
    </div>
  )
}
