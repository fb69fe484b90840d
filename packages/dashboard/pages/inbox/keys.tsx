import type { InboxState } from './settle.ts'

const OF: Readonly<Record<Exclude<InboxState, 'done'>, readonly (readonly [key: string, name: string])[]>> = {
  to_reply: [
    ['e', 'reply'],
    ['g', 'draft with AI'],
    ['d', 'dismiss'],
    ['s', 'select'],
  ],
  draft_ready: [
    ['a', 'approve and send'],
    ['e', 'edit'],
    ['g', 'draft again'],
    ['r', 'reject the draft'],
    ['d', 'dismiss'],
    ['s', 'select'],
  ],
}

/** What the keys do. */
export function Keys({ state }: { readonly state: keyof typeof OF }) {
  return (
    <p className="hint keys">
      <span>
        <kbd>j</kbd> <kbd>k</kbd> next, previous
      </span>
      {OF[state].map(([key, name]) => (
        <span key={key}>
          <kbd>{key}</kbd> {name}
        </span>
      ))}
      <span>
        <kbd>Ctrl</kbd> <kbd>Enter</kbd> send what you write
      </span>
    </p>
  )
}
