import type { Notice } from '../../domain/notification/topic.ts'
import { sentenceOf, titleOf, type Known } from '../../domain/notification/topic.ts'

/** A message, ready to be written in the form of a channel. */
export interface Message {
  /** Of the notification. */
  readonly id: string
  readonly title: string
  /** What it is about: a topic, or `several`. A newer one about the same may replace it where it is shown. */
  readonly about: string
  readonly lines: readonly Line[]
  /** A last line without a link of its own; empty if there is none. */
  readonly footer: string
  /** The page with the settings of the channel. */
  readonly url: string
  /** What a mail program calls to unsubscribe. */
  readonly unsubscribeUrl?: string | undefined
}

export interface Line {
  readonly text: string
  /** Where to look at it. */
  readonly url: string
}

/** Pages of the dashboard, by the prefix of the id of what a notice is about. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  post: (id) => `posts/${id}`,
  acc: () => 'accounts',
  rep: () => 'inbox',
  feed: () => 'feeds',
  wh: (id) => `settings/webhooks/${id}`,
  ws: () => 'settings/credits',
}

/** @param base the URL of the dashboard, with a trailing slash */
export function messageOf(
  id: string,
  {
    workspace,
    notices,
    hasMore,
  }: { readonly workspace: string; readonly notices: readonly Notice[]; readonly hasMore: boolean },
  knownOf: (notice: Notice) => Known,
  base: string,
): Message {
  const lines = notices.map((notice) => {
    const page = PAGES[notice.about.split('_', 1)[0] ?? '']?.(notice.about) ?? ''
    return { text: sentenceOf(notice, knownOf(notice)), url: base + page }
  })
  const footer = hasMore ? 'There is more: open the dashboard.' : ''
  const [topic = '', ...others] = new Set(notices.map((notice) => notice.topic))
  const about = others.length > 0 ? 'several' : topic
  return { id, title: `${titleOf(notices)} (${workspace})`, about, lines, footer, url: `${base}settings/notifications` }
}
