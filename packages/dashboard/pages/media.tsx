import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { Button } from '../parts/buttons.tsx'
import { FileDrop, UploadProgress } from '../parts/files.tsx'
import { FileTile, MediaList } from '../parts/media-list.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty } from '../parts/shown.tsx'
import { useUrlState } from '../parts/url-state.ts'
import { useUploads, type Item } from '../parts/use-uploads.ts'
import { FileDialog } from './media/file-dialog.tsx'

export default function MediaLibrary() {
  const [id, setId] = useUrlState<string>('file', '')
  return (
    <Page title={t`Media`} intro={t`Files for your posts. Those that you upload here are kept until you delete them.`}>
      <Card>
        <div className="stack">
          <Uploading />
          <MediaList
            empty={
              <Empty title={t`No files yet`}>
                <Trans>Files that you upload here or for a post appear here.</Trans>
              </Empty>
            }
          >
            {(file) => (
              <AriaButton className="media-tile" onPress={() => setId(file.id)}>
                <FileTile file={file} />
              </AriaButton>
            )}
          </MediaList>
        </div>
      </Card>
      {id !== '' && <FileDialog key={id} id={id} onClose={() => setId('')} />}
    </Page>
  )
}

/** Files on their way into the library. */
function Uploading() {
  const [items, setItems] = useState<readonly Item[]>([])
  const client = useQueryClient()
  const { start, remove } = useUploads(setItems, {
    keep: true,
    onDone: ({ mediaUrl }) => {
      setItems((now) => now.filter(({ url }) => url !== mediaUrl))
      void client.invalidateQueries({ queryKey: ['media'] })
    },
  })
  return (
    <>
      <FileDrop label={t`Upload files`} onFiles={start} />
      {items.length > 0 && (
        <ul className="items" aria-label={t`Uploads`}>
          {items.map((item) => {
            const { key, file } = item
            if (!file) return null
            const { name } = file
            const hasFailed = file.error !== undefined
            return (
              <li key={key}>
                <div className="item-body">
                  <span className="upload-name">{file.name}</span>
                  <UploadProgress name={file.name} file={file} isSending={!hasFailed} />
                  {hasFailed && (
                    <span role="alert" className="field-error">
                      {file.error}
                    </span>
                  )}
                </div>
                <Button
                  small
                  aria-label={hasFailed ? t`Dismiss ${name}` : t`Cancel the upload of ${name}`}
                  onPress={() => remove(item)}
                >
                  {hasFailed ? t`Dismiss` : t`Cancel`}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}
