import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Kind } from './queries.ts'

/** Minimum interval (ms) between reloads, so that a burst of events causes only one. */
const GATHER_MS = 1_000
/** Without events, open pages reload at this interval (ms). */
const POLL_MS = 20_000

/** The kinds of data affected by a change. The names are the log's stream categories. */
const SHOWN_IN: Readonly<Record<string, readonly Kind[]>> = {
  post: ['post', 'scheduled-post', 'due-work'],
  media: ['media'],
  metrics: ['analytics'],
  competitor: ['analytics'],
  reply: ['reply', 'comment', 'due-work'],
  comment: ['comment'],
  video: ['video', 'due-work'],
  credits: ['credits'],
  webhook: ['webhook'],
  delivery: ['delivery', 'due-work'],
  channel: ['channel'],
  notification: ['channel'],
  erasure: ['erasure'],
  account: ['account', 'due-work'],
  api_key: ['key'],
  workspace: ['workspace', 'session', 'slots', 'approval-policy', 'undo', 'voice'],
  user: ['user', 'session'],
  member: ['user', 'session'],
  invitation: ['invitation'],
  feed: ['feed', 'due-work'],
  feed_item: ['feed'],
  rule: ['rule', 'due-work'],
}

interface Changed {
  readonly kinds?: readonly string[]
}

/** Subscribes to changes and reloads what they affect. Returns whether the connection is open. */
export function useLive(queries: QueryClient): boolean {
  const [isLive, setLive] = useState(true)
  useEffect(() => {
    const waiting = new Set<Kind>()
    let timer: number | undefined
    const readAgain = () => {
      timer = undefined
      const kinds = [...waiting]
      waiting.clear()
      for (const kind of kinds) void queries.invalidateQueries({ queryKey: [kind] })
    }
    const note = (kinds: readonly string[]) => {
      for (const kind of kinds) for (const shown of SHOWN_IN[kind] ?? []) waiting.add(shown)
      waiting.add('activity')
      timer ??= window.setTimeout(readAgain, GATHER_MS)
    }

    const source = new EventSource('/dashboard/api/live')
    source.addEventListener('open', () => setLive(true))
    source.addEventListener('error', () => {
      setLive(false)
      // It ends when the session shows another workspace, too.
      waiting.add('session')
      timer ??= window.setTimeout(readAgain, GATHER_MS)
    })
    source.addEventListener('reset', () => void queries.invalidateQueries())
    source.addEventListener('changed', ({ data }: MessageEvent<string>) =>
      note((JSON.parse(data) as Changed).kinds ?? []),
    )
    const poll = window.setInterval(() => {
      if (source.readyState !== EventSource.OPEN && !document.hidden) void queries.invalidateQueries()
    }, POLL_MS)
    return () => {
      source.close()
      window.clearTimeout(timer)
      window.clearInterval(poll)
    }
  }, [queries])
  return isLive
}
