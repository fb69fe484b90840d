import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useNavigate } from 'react-router'
import { answered, api, attemptName, named } from '../../client/client.ts'
import { useChange } from '../../client/queries.ts'
import type { Post } from '../../client/types.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Field } from '../../parts/fields.tsx'
import { failedOn, Problem } from '../../parts/shown.tsx'
import { useSubmitKeys } from '../../parts/use-submit-keys.ts'
import { useDuplicate } from '../posts/duplicate.tsx'

/** Makes a new post for the accounts on which this one failed. */
export default function SendAgain({ post, onSent }: { readonly post: Post; readonly onSent?: () => void }) {
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [caption, setCaption] = useState(post.caption)
  const [attempt] = useState(attemptName)
  const duplicate = useDuplicate()
  const form = useSubmitKeys()
  const again = useChange({
    change: () =>
      answered(
        api.POST('/posts/{id}/duplicate', {
          params: { path: { id: post.id }, ...named(attempt) },
          // A caption of one platform would hide the change.
          body: { accounts: 'failed', caption, captionOverrides: {} },
        }),
      ),
    touches: ['post'],
    done: t`Publishing…`,
    onDone: ({ id }) => {
      setOpen(false)
      onSent?.()
      void navigate(`/posts/${id}`)
    },
    showsProblem: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    again.mutate(undefined)
  }
  return (
    <>
      <Button small onPress={() => setOpen(true)}>
        <Trans>Edit and send again</Trans>
      </Button>
      <Dialog title={t`Edit and send again`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Form ref={form} onSubmit={submit}>
          {again.error && <Problem error={again.error} />}
          <Field label={t`Caption`} rows={5} value={caption} onChange={setCaption} autoFocus />
          <p className="hint">
            <Plural
              value={failedOn(post)}
              one="A new post for the account on which this one failed."
              other="A new post for the # accounts on which this one failed."
            />
          </p>
          <Actions>
            <Button look="main" type="submit" isPending={again.isPending}>
              <Trans>Publish</Trans>
            </Button>
            <Button
              isPending={duplicate.isPending}
              onPress={() => duplicate.mutate({ id: post.id, accounts: 'failed' })}
            >
              <Trans>Change more</Trans>
            </Button>
          </Actions>
        </Form>
      </Dialog>
    </>
  )
}
