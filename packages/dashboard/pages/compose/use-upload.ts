import { useEffect, useRef, useState } from 'react'
import { api } from '../../client/client.ts'
import { uploadFile } from '../../client/upload.ts'

/** The file of a post, from the disk of the user. */
export interface Upload {
  readonly file?: { readonly name: string; readonly size: number; readonly type: string; readonly shownAt: string }
  readonly sent: number
  readonly isSending: boolean
  readonly error?: Error
  start(file: File): void
  /** Cancels the upload, or deletes the file. */
  remove(): void
}

type Shown = Pick<Upload, 'file' | 'sent' | 'isSending' | 'error'>
const NONE: Shown = { sent: 0, isSending: false }

/** @param onUrl called with the URL of the media once the upload is complete, and without one when it is removed */
export function useUpload(onUrl: (url: string, mediaType?: 'image' | 'video') => void): Upload {
  const [shown, setShown] = useState(NONE)
  const running = useRef<{ readonly cancel: AbortController; id?: string }>(undefined)
  const remove = () => {
    const { cancel, id } = running.current ?? {}
    running.current = undefined
    cancel?.abort()
    // What cannot be deleted now expires.
    if (id !== undefined) void api.DELETE('/media/{id}', { params: { path: { id } } }).catch(() => undefined)
    setShown(NONE)
    onUrl('')
  }
  const start = (given: File) => {
    if (running.current) remove()
    const mine: { readonly cancel: AbortController; id?: string } = { cancel: new AbortController() }
    running.current = mine
    const { name, size, type } = given
    const file = { name, size, type, shownAt: URL.createObjectURL(given) }
    const show = (next: Partial<Shown>) => {
      if (running.current === mine) setShown((now) => ({ ...now, ...next }))
    }
    setShown({ file, sent: 0, isSending: true })
    const watching = {
      signal: mine.cancel.signal,
      onStart: (id: string) => (mine.id = id),
      onProgress: (sent: number) => show({ sent }),
    }
    uploadFile(given, watching).then(
      ({ mediaUrl }) => {
        if (running.current !== mine) return
        show({ isSending: false })
        onUrl(mediaUrl, type.startsWith('video/') ? 'video' : 'image')
      },
      (error: unknown) => show({ isSending: false, error: error instanceof Error ? error : new Error(String(error)) }),
    )
  }
  // The picture in memory is needed no longer than it is shown.
  const shownAt = shown.file?.shownAt
  useEffect(() => () => void (shownAt !== undefined && URL.revokeObjectURL(shownAt)), [shownAt])
  return { ...shown, start, remove }
}
