import { useEffect, useRef } from 'react'
import { api, attemptName } from '../../client/client.ts'
import { uploadFile } from '../../client/upload.ts'
import type { Item, ItemFile } from './draft.ts'

export interface Uploads {
  start(files: readonly File[]): void
  /** Takes an item out of the post. Its upload is canceled, or its file deleted. */
  remove(item: Item): void
}

type Change = (items: readonly Item[]) => readonly Item[]

/** Uploads files for the items of a post. */
export function useUploads(change: (how: Change) => void): Uploads {
  const running = useRef(new Map<string, { readonly cancel: AbortController; id?: string }>())
  const shown = useRef<string[]>([])
  const start = (file: File) => {
    const key = attemptName()
    const mine: { readonly cancel: AbortController; id?: string } = { cancel: new AbortController() }
    running.current.set(key, mine)
    const { name, size } = file
    const type = file.type.startsWith('video/') ? 'video' : 'image'
    const shownAt = URL.createObjectURL(file)
    shown.current.push(shownAt)
    change((items) => [...items, { key, url: '', type, altText: '', file: { name, size, shownAt, sent: 0 } }])
    const changed = (next: Partial<Item>, ofFile: Partial<ItemFile>) =>
      change((items) =>
        items.map((item) =>
          item.key === key && item.file ? { ...item, ...next, file: { ...item.file, ...ofFile } } : item,
        ),
      )
    uploadFile(file, {
      signal: mine.cancel.signal,
      onStart: (id) => (mine.id = id),
      onProgress: (sent) => changed({}, { sent }),
    }).then(
      ({ mediaUrl }) => changed({ url: mediaUrl }, { sent: size }),
      (error: unknown) => changed({}, { error: error instanceof Error ? error.message : String(error) }),
    )
  }
  // The files in memory are needed no longer than they are shown.
  useEffect(() => () => shown.current.forEach((url) => URL.revokeObjectURL(url)), [])
  return {
    start: (files) => files.forEach(start),
    remove: ({ key }) => {
      const { cancel, id } = running.current.get(key) ?? {}
      running.current.delete(key)
      cancel?.abort()
      // What cannot be deleted now expires.
      if (id !== undefined) void api.DELETE('/media/{id}', { params: { path: { id } } }).catch(() => undefined)
      change((items) => items.filter((item) => item.key !== key))
    },
  }
}
