import { useEffect, useRef } from 'react'
import { api, attemptName } from '../client/client.ts'
import type { MediaType } from '../client/types.ts'
import { mediaTypeOf, uploadFile, type Uploaded } from '../client/upload.ts'

/** An image, a video or a document of a post, from when it is chosen. */
export interface Item {
  readonly key: string
  /** Empty until its file is uploaded. */
  readonly url: string
  readonly type: MediaType
  readonly altText: string
  readonly thumbnailUrl?: string | undefined
  readonly file?: ItemFile
}

export interface ItemFile {
  readonly name: string
  readonly size: number
  /** The URL of the file in this browser. */
  readonly shownAt: string
  readonly sent: number
  readonly error?: string
}

export interface Uploads {
  start(files: readonly File[]): void
  /** Takes an item out of the post. Its upload is canceled, or its file deleted. */
  remove(item: Item): void
}

type Change = (items: readonly Item[]) => readonly Item[]

/** Uploads files. @param options.keep whether they are to be kept, used or not */
export function useUploads(
  change: (how: Change) => void,
  options: { readonly keep?: boolean; readonly onDone?: (uploaded: Uploaded) => void } = {},
): Uploads {
  const running = useRef(new Map<string, { readonly cancel: AbortController; id?: string }>())
  const shown = useRef<string[]>([])
  const start = (file: File) => {
    const key = attemptName()
    const mine: { readonly cancel: AbortController; id?: string } = { cancel: new AbortController() }
    running.current.set(key, mine)
    const { name, size } = file
    const type = mediaTypeOf(file)
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
      keep: options.keep ?? false,
      signal: mine.cancel.signal,
      onStart: (id) => (mine.id = id),
      onProgress: (sent) => changed({}, { sent }),
    }).then(
      (uploaded) => {
        changed({ url: uploaded.mediaUrl }, { sent: size })
        options.onDone?.(uploaded)
      },
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
