import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { memo } from 'react'
import type { Comment } from '../../client/types.ts'
import { PlatformIcon } from '../../parts/platform-icon.tsx'
import { Moment, Status } from '../../parts/shown.tsx'
import { keyOf } from './settle.ts'

interface Props {
  readonly comment: Comment
  readonly index: number
  readonly isCurrent: boolean
  readonly isChecked: boolean
  readonly canSelect: boolean
  readonly onChoose: (key: string, index: number) => void
  readonly onOpen: () => void
  readonly onCheck: (key: string) => void
}

/** One comment of the list, in few words. Of a thousand, only those that change are rendered again. */
export const Row = memo(function Row(props: Props) {
  const { comment, index, isCurrent, isChecked, canSelect, onChoose, onOpen, onCheck } = props
  const { author, platform, text, createdAt, kind, reply, assignee } = comment
  const key = keyOf(comment)
  const tabIndex = isCurrent ? 0 : -1
  const choose = () => onChoose(key, index)
  return (
    <li className={isCurrent ? 'current' : undefined}>
      {canSelect && (
        <input
          type="checkbox"
          tabIndex={tabIndex}
          checked={isChecked}
          onChange={() => onCheck(key)}
          aria-label={t`Select the comment by ${author}`}
        />
      )}
      <button
        type="button"
        tabIndex={tabIndex}
        aria-current={isCurrent || undefined}
        onFocus={choose}
        onClick={() => {
          choose()
          onOpen()
        }}
      >
        <span className="item-line">
          <PlatformIcon of={platform} />
          <strong>{author}</strong>
          {kind === 'mention' && <Status of="mention" />}
          {reply?.status === 'failed' && <Status of="failed" />}
          {assignee && (
            <span className="assignee">
              <Trans>
                <span className="visually-hidden">Assigned to</span> {assignee.name}
              </Trans>
            </span>
          )}
          <span className="hint">
            <Moment at={createdAt} short />
          </span>
        </span>
        <span className="one-line">{text}</span>
        {reply?.draft && <span className="one-line hint">↳ {reply.draft}</span>}
      </button>
    </li>
  )
})
