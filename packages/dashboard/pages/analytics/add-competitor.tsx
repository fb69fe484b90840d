import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { useAccounts, useChange, usePlatforms } from '../../client/queries.ts'
import { sessionApi } from '../../client/session-api.ts'
import { Actions, Button, ButtonLink } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Choice, Field } from '../../parts/fields.tsx'
import { Problem } from '../../parts/shown.tsx'

/** On the networks where an account of one's own can look. */
export function AddCompetitor({ onClose }: { readonly onClose: () => void }) {
  const { data: platforms = [] } = usePlatforms()
  const { data: accounts = {} } = useAccounts()
  const networks = platforms.filter(({ key, hasCompetitors }) => hasCompetitors && (accounts[key] ?? []).length > 0)
  const [chosen, setChosen] = useState('')
  const network = chosen || (networks[0]?.key ?? '')
  const add = useChange({
    change: (handle: string) => sessionApi.addCompetitor(network, handle),
    touches: ['analytics'],
    done: ({ handle }) => t`${handle} is checked now, then once a day.`,
    onDone: onClose,
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    add.mutate(String(new FormData(event.currentTarget).get('handle')))
  }
  return (
    <Dialog title={t`Add a competitor`} isOpen onClose={onClose}>
      {networks.length === 0 ? (
        <>
          <p>
            <Trans>An account of yours on YouTube, X or Bluesky is needed to look at others there.</Trans>
          </p>
          <Actions>
            <ButtonLink to="/accounts">
              <Trans>Connect an account</Trans>
            </ButtonLink>
          </Actions>
        </>
      ) : (
        <Form onSubmit={submit}>
          {add.error && <Problem error={add.error} />}
          <Choice
            label={t`Network`}
            value={network}
            options={networks.map(({ key, name }) => ({ value: key, label: name }))}
            onChange={setChosen}
          />
          <Field
            label={t`Handle or URL`}
            name="handle"
            isRequired
            autoFocus
            hint={t`With or without @, or the address of its page. Only public data is read.`}
          />
          <Actions>
            <Button look="main" type="submit" isPending={add.isPending}>
              <Trans>Add competitor</Trans>
            </Button>
          </Actions>
        </Form>
      )}
    </Dialog>
  )
}
