import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { answered, api, attemptName, named } from '../../client/client.ts'
import { useChange, useSession } from '../../client/queries.ts'
import { useReturn } from '../../parts/back.ts'
import type { Note } from '../../parts/toasts.tsx'
import { bodyOf, chainOf, changesOf, dueOf, isChain, savedAs, type Draft } from './draft.ts'
import { keepAccounts } from './many-accounts.tsx'
import { useAutosave } from './use-autosave.ts'

/** What is written: a new post, a draft or a scheduled post. */
export type Source = { readonly kind: 'post' } | { readonly kind: 'draft' | 'scheduled-post'; readonly id: string }

/** Publishes, schedules and saves what is written. @param asks whether it needs approval */
export function useSend(source: Source, draft: Draft, asks: boolean) {
  const takeBack = useChange({
    change: (id: string) => answered(api.DELETE('/scheduled-posts/{id}', { params: { path: { id } } })),
    touches: ['post', 'scheduled-post', 'due-work'],
    done: t`Taken back. It is not published.`,
  })
  const offer = (id: string, undoUntil: string): Note => ({
    text: t`Your post is about to be published.`,
    action: { name: t`Undo`, run: () => takeBack.mutate(id) },
    until: Date.parse(undoUntil),
  })
  const navigate = useNavigate()
  const afterwards = useReturn('/posts?show=scheduled')
  const { workspace } = useSession()
  // Kept until the post is accepted, so that a retry is not published twice.
  const [attempt, setAttempt] = useState(attemptName)
  const autosave = useAutosave(source.kind === 'draft' ? source.id : undefined, draft)
  const send = useChange({
    change: async (written: Draft & { readonly allowDuplicate?: true }) => {
      const { when } = written
      const due = dueOf(written)
      const allowed = written.allowDuplicate && { allowDuplicate: true }
      const params = named(attempt)
      if (source.kind === 'post' && isChain(written)) {
        const body = { ...chainOf(written), ...allowed, ...(when !== 'now' && due) }
        return answered(api.POST('/posts/chain', { body, params }))
      }
      if (source.kind === 'post') {
        const body = { ...bodyOf(written), ...allowed }
        if (when === 'now') return answered(api.POST('/posts', { body, params }))
        return answered(api.POST('/posts/scheduled', { body: { ...body, ...due }, params }))
      }
      const path = { id: source.id }
      if (source.kind === 'scheduled-post') {
        const body = { ...changesOf(written), ...(when !== 'now' && due) }
        return answered(api.PATCH('/scheduled-posts/{id}', { params: { path }, body }))
      }
      await autosave.save(isChain(written) ? { ...written, firstComment: '' } : written)
      const asked = { params: { ...params, path } }
      if (when === 'now') return answered(api.POST('/drafts/{id}/publish', { ...asked, body: { ...allowed } }))
      return answered(api.POST('/drafts/{id}/schedule', { ...asked, body: { ...due, ...allowed } }))
    },
    touches: ['post', 'scheduled-post', 'draft', 'due-work'],
    done: (result, { when }) => {
      if (asks) return t`Approval requested.`
      if (source.kind === 'scheduled-post') return t`Saved.`
      if (when !== 'now') return t`The post is scheduled.`
      const undoUntil = 'undoUntil' in result ? result.undoUntil : undefined
      return undoUntil === undefined ? t`Publishing…` : offer(result.id, undoUntil)
    },
    onDone: ({ id }, { when, selections }) => {
      setAttempt(attemptName())
      keepAccounts(workspace.id, selections)
      void navigate(when === 'now' ? `/posts/${id}` : afterwards)
    },
    showsProblem: true,
  })
  const keep = useChange({
    change: (written: Draft) => answered(api.POST('/drafts', { body: savedAs(written), params: named(attempt) })),
    touches: ['draft'],
    done: t`Saved as a draft.`,
    onDone: ({ id }) => void navigate(`/compose?draft=${id}`, { replace: true }),
  })
  return { send, keep, autosave }
}
