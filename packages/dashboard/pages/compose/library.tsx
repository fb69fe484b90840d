import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { ToggleButton } from 'react-aria-components'
import { attemptName } from '../../client/client.ts'
import type { Media } from '../../client/types.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { FileTile, MediaList } from '../../parts/media-list.tsx'
import { Empty } from '../../parts/shown.tsx'
import type { Item } from '../../parts/use-uploads.ts'

/** Adds files that were uploaded before, in the order in which they are chosen. */
export function Library({ onPick }: { readonly onPick: (items: readonly Item[]) => void }) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<readonly Media[]>([])
  const close = () => {
    setOpen(false)
    setChosen([])
  }
  const add = () => {
    onPick(
      chosen.map(({ mediaUrl: url, mediaType: type, altText = '' }) => ({ key: attemptName(), url, type, altText })),
    )
    close()
  }
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Trans>From the library</Trans>
      </Button>
      <Dialog title={t`Media library`} isOpen={isOpen} onClose={close}>
        <MediaList
          empty={
            <Empty title={t`No files yet`}>
              <Trans>Files that you upload for a post appear here.</Trans>
            </Empty>
          }
        >
          {(file) => (
            <ToggleButton
              className="media-tile"
              isSelected={chosen.some(({ id }) => id === file.id)}
              onChange={(isChosen) =>
                setChosen((now) => (isChosen ? [...now, file] : now.filter(({ id }) => id !== file.id)))
              }
            >
              <FileTile file={file} />
            </ToggleButton>
          )}
        </MediaList>
        <Actions>
          <Button look="main" isDisabled={chosen.length === 0} onPress={add}>
            {chosen.length > 1 ? plural(chosen.length, { one: 'Add # file', other: 'Add # files' }) : t`Add`}
          </Button>
          <Button onPress={close}>
            <Trans>Cancel</Trans>
          </Button>
        </Actions>
      </Dialog>
    </>
  )
}
