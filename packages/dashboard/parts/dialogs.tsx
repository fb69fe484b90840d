import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Actions, Button } from './buttons.tsx'

interface Props {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Traps the focus while open, restores it afterwards, and closes on Escape. */
export function Dialog({ title, isOpen, onClose, children }: Props) {
  return (
    <ModalOverlay isOpen={isOpen} onOpenChange={(open) => !open && onClose()} isDismissable className="overlay">
      <Modal className="modal">
        <AriaDialog className="dialog">
          <div className="dialog-head">
            <Heading slot="title">{title}</Heading>
            <Button look="quiet" small aria-label={t`Close`} onPress={onClose}>
              ×
            </Button>
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Asks for confirmation before an irreversible action. */
export function Confirm(
  props: Props & {
    readonly action: string
    /** The button that changes nothing. */
    readonly back?: string
    readonly isPending: boolean
    readonly onConfirm: () => void
  },
) {
  const { children, action, back = t`Keep`, isPending, onConfirm, onClose, ...rest } = props
  return (
    <Dialog {...rest} onClose={onClose}>
      {children}
      <Actions>
        <Button look="danger" isPending={isPending} onPress={onConfirm}>
          {action}
        </Button>
        <Button onPress={onClose} autoFocus>
          {back}
        </Button>
      </Actions>
    </Dialog>
  )
}
