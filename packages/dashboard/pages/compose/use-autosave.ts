import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useRef, useState } from 'react'
import { answered, api } from '../../client/client.ts'
import { useSettled } from '../../parts/use-settled.ts'
import { isUploading, savedAs, type Draft } from './draft.ts'

/** How long (ms) the user must pause before a draft is saved. */
const AUTOSAVE_MS = 2_000

/** Saves the draft of this id while it is written: once the user pauses, and when the page is left. */
export function useAutosave(id: string | undefined, draft: Draft) {
  const settled = useSettled(draft, AUTOSAVE_MS)
  const saved = useRef(JSON.stringify(savedAs(draft)))
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  })
  const [state, setState] = useState<string>()
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const save = useCallback(
    (written: Draft) => {
      const turn = async () => {
        const body = savedAs(written)
        const text = JSON.stringify(body)
        if (id === undefined || text === saved.current || isUploading(written)) return
        await answered(api.PATCH('/drafts/{id}', { params: { path: { id } }, body }))
        saved.current = text
        setState(t`Saved.`)
      }
      // One at a time: an older text must not arrive after a newer one.
      const done = last.current.then(turn, turn)
      last.current = done
      return done
    },
    [id],
  )
  useEffect(() => {
    save(settled).catch((error: unknown) => setState(t`Not saved: ${String(error)}`))
  }, [settled, save])
  useEffect(() => () => void save(latest.current).catch(() => undefined), [save])
  return { state, save }
}
