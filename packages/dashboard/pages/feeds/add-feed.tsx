import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { answered, api, attemptName, named } from '../../client/client.ts'
import { useChange } from '../../client/queries.ts'
import type { Selections } from '../../client/types.ts'
import { AccountPicker } from '../../parts/accounts.tsx'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Field } from '../../parts/fields.tsx'
import { Problem } from '../../parts/shown.tsx'

/** The platforms that a feed may post to (api-spec, RSS feeds). */
const TAKERS = ['facebook', 'instagram', 'threads', 'pinterest', 'bluesky']

/** What a caption has of an item. */
const [TITLE, LINK] = ['{title}', '{link}']

export function AddFeed({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [selections, setSelections] = useState<Selections>({})
  const [attempt, setAttempt] = useState(attemptName)
  const add = useChange({
    change: (fields: FormData) =>
      answered(
        api.POST('/rss-feeds', {
          body: {
            url: String(fields.get('url')),
            selections,
            captionTemplate: String(fields.get('captionTemplate')),
            checkIntervalMinutes: Number(fields.get('minutes')),
          },
          params: named(attempt),
        }),
      ),
    touches: ['feed'],
    done: t`Feed added.`,
    onDone: () => {
      setAttempt(attemptName())
      onClose()
    },
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    add.mutate(new FormData(event.currentTarget))
  }
  return (
    <Dialog title={t`Add a feed`} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        {add.error && <Problem error={add.error} />}
        <Field label={t`Feed URL`} name="url" type="url" placeholder="https://" isRequired autoFocus />
        <AccountPicker label={t`Post to`} value={selections} onChange={setSelections} platforms={TAKERS} />
        <Field
          label={t`Caption`}
          name="captionTemplate"
          rows={3}
          defaultValue={`${TITLE}\n\n${LINK}`}
          hint={t`${TITLE} and ${LINK} are replaced by those of the item.`}
        />
        <Field label={t`Check interval (minutes)`} name="minutes" type="number" min={15} defaultValue="60" isRequired />
        <Actions>
          <Button look="main" type="submit" isPending={add.isPending}>
            <Trans>Add feed</Trans>
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
