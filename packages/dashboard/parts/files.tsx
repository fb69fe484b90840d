import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, type ReactNode } from 'react'
import { DropZone, FileTrigger, ProgressBar } from 'react-aria-components'
import type { UploadBody } from '../client/types.ts'
import { ENDINGS } from '../client/upload.ts'
import { Button } from './buttons.tsx'
import type { ItemFile } from './use-uploads.ts'

const TYPES: readonly UploadBody['contentType'][] = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/heic',
  'image/avif',
  'image/tiff',
  'video/mp4',
  'video/quicktime',
  'video/webm',
]

/** Takes files that are picked, dropped, or pasted anywhere on the page. */
export function FileDrop({
  label,
  onFiles,
  children,
}: {
  readonly label: string
  readonly onFiles: (files: readonly File[]) => void
  /** Further buttons. */
  readonly children?: ReactNode
}) {
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => onFiles([...(clipboardData?.files ?? [])])
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  })
  return (
    <DropZone
      className="drop"
      onDrop={({ items }) => {
        const dropped = items.flatMap((item) => (item.kind === 'file' ? [item.getFile()] : []))
        void Promise.all(dropped).then(onFiles)
      }}
    >
      <FileTrigger
        acceptedFileTypes={[...TYPES, ...ENDINGS]}
        allowsMultiple
        onSelect={(files) => onFiles([...(files ?? [])])}
      >
        <Button>{label}</Button>
      </FileTrigger>
      {children}
      <span className="hint">
        <Trans>or drop or paste images, videos or documents here</Trans>
      </span>
    </DropZone>
  )
}

export function UploadProgress({
  name,
  file,
  isSending,
}: {
  readonly name: string
  readonly file: ItemFile
  readonly isSending: boolean
}) {
  if (!isSending) return <span className="hint">{sizeOf(file.size)}</span>
  return (
    <ProgressBar aria-label={t`Uploading ${name}`} value={file.sent} maxValue={file.size} className="progress">
      {({ percentage = 0, valueText }) => (
        <>
          <span className="progress-track">
            <span style={{ inlineSize: `${percentage}%` }} />
          </span>
          <span className="hint">
            <Trans>
              {valueText} of {sizeOf(file.size)}
            </Trans>
          </span>
        </>
      )}
    </ProgressBar>
  )
}

export function sizeOf(bytes: number): string {
  if (bytes < 1_000_000) return t`${Math.ceil(bytes / 1000)} kB`
  return bytes < 1_000_000_000 ? t`${(bytes / 1_000_000).toFixed(1)} MB` : t`${(bytes / 1_000_000_000).toFixed(1)} GB`
}
