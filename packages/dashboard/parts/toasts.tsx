import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  Button,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components'

export interface Note {
  readonly text: string
  readonly tone?: 'good' | 'bad'
  readonly requestId?: string | undefined
  /** What the user can do about it. */
  readonly action?: { readonly name: string; readonly run: () => void }
  /** Until when they can, in ms since the epoch. */
  readonly until?: number
}

/** How long success messages stay (ms). Errors stay until dismissed. */
const STAYS_MS = 6_000
/** The same for one with an action. */
const OFFERED_MS = 12_000
const MOST_AT_ONCE = 3

const queue = new ToastQueue<Note>({ maxVisibleToasts: MOST_AT_ONCE })

/** Reports a result, also to screen readers. */
export function toast(note: Note): void {
  queue.add(note, note.tone === 'bad' ? {} : { timeout: staysMs(note) })
}

function staysMs({ action, until }: Note): number {
  if (until !== undefined) return Math.max(STAYS_MS, until - Date.now())
  return action ? OFFERED_MS : STAYS_MS
}

export function Toasts() {
  return (
    <ToastRegion queue={queue} className="toasts" aria-label={t`Notifications`}>
      {({ toast: shown }) => (
        <Toast toast={shown} className={`toast ${shown.content.tone ?? 'good'}`}>
          <ToastContent className="toast-content">
            <Text slot="title">{shown.content.text}</Text>
            {shown.content.requestId && (
              <Text slot="description">
                <Trans>Request {shown.content.requestId}</Trans>
              </Text>
            )}
          </ToastContent>
          {shown.content.action && (
            <Button
              className="button plain small"
              onPress={() => {
                shown.content.action?.run()
                queue.close(shown.key)
              }}
            >
              {shown.content.action.name}
            </Button>
          )}
          <Button slot="close" aria-label={t`Dismiss`} className="icon-button">
            ×
          </Button>
        </Toast>
      )}
    </ToastRegion>
  )
}
