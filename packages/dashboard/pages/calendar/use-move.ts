import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { answered, api } from '../../client/client.ts'
import { useChange } from '../../client/queries.ts'
import { inOwnZone } from '../../parts/time.ts'
import { toast } from '../../parts/toasts.tsx'
import type { Entries } from './entries.ts'

interface Move {
  readonly id: string
  readonly from: string
  readonly to: string
}

/** Reschedules a post, which is shown there at once. The message takes it back. */
export function useMove(): (move: Move) => void {
  const client = useQueryClient()
  const change = useChange({
    change: ({ id, from, to }: Move) => {
      client.setQueriesData<Entries>({ queryKey: ['scheduled-post', 'calendar'] }, (entries) => moved(entries, id, to))
      return answered(
        api.PATCH('/scheduled-posts/{id}', { params: { path: { id } }, body: { scheduledAtUtc: to } }),
      ).catch((error: unknown) => {
        client.setQueriesData<Entries>({ queryKey: ['scheduled-post', 'calendar'] }, (now) => moved(now, id, from))
        throw error
      })
    },
    touches: ['scheduled-post', 'due-work'],
    onDone: ({ scheduledAtUtc }, { id, from, to }) =>
      toast({
        text: t`Rescheduled to ${inOwnZone(scheduledAtUtc)}.`,
        action: { name: t`Undo`, run: () => change.mutate({ id, from: to, to: from }) },
      }),
  })
  return change.mutate
}

function moved(entries: Entries | undefined, id: string, at: string): Entries | undefined {
  const items = entries?.items.map((entry) =>
    entry.id === id && entry.scheduled
      ? { ...entry, at, scheduled: { ...entry.scheduled, scheduledAtUtc: at } }
      : entry,
  )
  return entries && items && { ...entries, items: items.toSorted((a, b) => (a.at < b.at ? -1 : 1)) }
}
