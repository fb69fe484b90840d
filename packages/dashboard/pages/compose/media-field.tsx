import { useEffect } from 'react'
import { DropZone, FileTrigger, ProgressBar } from 'react-aria-components'
import type { UploadBody } from '../../client/types.ts'
import { Button } from '../../parts/buttons.tsx'
import { Field } from '../../parts/fields.tsx'
import { Thumb } from '../../parts/shown.tsx'
import type { Upload } from './use-upload.ts'

const TYPES: readonly UploadBody['contentType'][] = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'video/mp4',
  'video/quicktime',
  'video/webm',
]

/** The media of a post: a file that is picked, dropped or pasted, or a public URL. */
export function MediaField({
  url,
  onUrl,
  upload,
}: {
  readonly url: string
  readonly onUrl: (url: string) => void
  readonly upload: Upload
}) {
  const { file, start } = upload
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => {
      const pasted = clipboardData?.files[0]
      if (pasted) start(pasted)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  })
  if (file) return <UploadedFile upload={upload} file={file} />
  return (
    <>
      <DropZone
        className="drop"
        onDrop={({ items }) => {
          const dropped = items.find((item) => item.kind === 'file')
          void dropped?.getFile().then(start)
        }}
      >
        <FileTrigger
          acceptedFileTypes={TYPES}
          onSelect={(files) => {
            const chosen = files?.[0]
            if (chosen) start(chosen)
          }}
        >
          <Button>Choose a file</Button>
        </FileTrigger>
        <span className="hint">or drop or paste an image or a video here</span>
      </DropZone>
      <Field
        label="Image or video URL"
        type="url"
        value={url}
        onChange={onUrl}
        isRequired
        placeholder="https://"
        hint="Instead of a file. Must be public. It is downloaded when the post is published."
      />
    </>
  )
}

function UploadedFile({
  upload: { sent, isSending, error, remove },
  file,
}: {
  readonly upload: Upload
  readonly file: NonNullable<Upload['file']>
}) {
  const { name, size, type, shownAt } = file
  return (
    <div className="field">
      <span className="legend">Image or video</span>
      <div className="upload">
        <Thumb url={shownAt} type={type.startsWith('video/') ? 'video' : 'image'} />
        <div className="item-body">
          <span className="upload-name">{name}</span>
          {isSending ? (
            <ProgressBar aria-label={`Uploading ${name}`} value={sent} maxValue={size} className="progress">
              {({ percentage = 0, valueText }) => (
                <>
                  <span className="progress-track">
                    <span style={{ inlineSize: `${percentage}%` }} />
                  </span>
                  <span className="hint">
                    {valueText} of {sizeOf(size)}
                  </span>
                </>
              )}
            </ProgressBar>
          ) : (
            <span className="hint">{sizeOf(size)}</span>
          )}
        </div>
        <Button small onPress={remove}>
          {isSending ? 'Cancel' : 'Remove'}
        </Button>
      </div>
      {error && (
        <span role="alert" className="field-error">
          {error.message}
        </span>
      )}
    </div>
  )
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
