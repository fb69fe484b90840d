import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { InboxState } from './settle.ts'

const OF: Readonly<Record<Exclude<InboxState, 'done'>, readonly (readonly [key: string, name: string])[]>> = {
  to_reply: [
    ['e', t`reply`],
    ['g', t`draft with AI`],
    ['d', t`dismiss`],
    ['i', t`assign to me`],
    ['s', t`select`],
  ],
  draft_ready: [
    ['a', t`approve and send`],
    ['e', t`edit`],
    ['g', t`draft again`],
    ['r', t`reject the draft`],
    ['d', t`dismiss`],
    ['i', t`assign to me`],
    ['s', t`select`],
  ],
}

/** What the keys do. */
export function Keys({ state }: { readonly state: keyof typeof OF }) {
  return (
    <p className="hint keys">
      <span>
        <Trans>
          <kbd>j</kbd> <kbd>k</kbd> next, previous
        </Trans>
      </span>
      {OF[state].map(([key, name]) => (
        <span key={key}>
          <kbd>{key}</kbd> {name}
        </span>
      ))}
      <span>
        <Trans>
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> send what you write
        </Trans>
      </span>
    </p>
  )
}
