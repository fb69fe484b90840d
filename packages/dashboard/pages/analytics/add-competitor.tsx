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
    done: ({ handle }) => `${handle} is checked now, then once a day.`,
    onDone: onClose,
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    add.mutate(String(new FormData(event.currentTarget).get('handle')))
  }
  return (
    <Dialog title="Add a competitor" isOpen onClose={onClose}>
      {networks.length === 0 ? (
        <>
          <p>An account of yours on YouTube, X or Bluesky is needed to look at others there.</p>
          <Actions>
            <ButtonLink to="/accounts">Connect an account</ButtonLink>
          </Actions>
        </>
      ) : (
        <Form onSubmit={submit}>
          {add.error && <Problem error={add.error} />}
          <Choice
            label="Network"
            value={network}
            options={networks.map(({ key, name }) => ({ value: key, label: name }))}
            onChange={setChosen}
          />
          <Field
            label="Handle or URL"
            name="handle"
            isRequired
            autoFocus
            hint="With or without @, or the address of its page. Only public data is read."
          />
          <Actions>
            <Button look="main" type="submit" isPending={add.isPending}>
              Add competitor
            </Button>
          </Actions>
        </Form>
      )}
    </Dialog>
  )
}
