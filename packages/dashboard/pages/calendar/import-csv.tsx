import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { answered, api, attemptName, named } from '../../client/client.ts'
import { useChange } from '../../client/queries.ts'
import type { ImportedRow } from '../../client/types.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Loading, Moment, Problem, Status } from '../../parts/shown.tsx'
import { OWN_ZONE } from '../../parts/time.ts'

const EXAMPLE = `scheduled_for,accounts,caption,media_urls,alt_texts,hashtags
next-slot,bluesky:bakery.bsky.social,Fresh from the oven,https://example.com/bread.jpg,Three loaves,rye;oven
`
const SHOWN = 100

/** Schedules the rows of a CSV file, once the user has seen what becomes of each. */
export function ImportCsv() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <Trans>Import CSV</Trans>
      </Button>
      {isOpen && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const [csv, setCsv] = useState('')
  // Kept until another file is chosen, so that a repeated request schedules nothing twice.
  const [attempt, setAttempt] = useState(attemptName)
  const body = { csv, timezone: OWN_ZONE }
  const trial = useChange({
    change: (text: string) =>
      answered(api.POST('/scheduled-posts/import', { body: { ...body, csv: text, dryRun: true } })),
    touches: [],
    showsProblem: true,
  })
  const checked = trial.data?.rows ?? []
  const ready = checked.flatMap(({ row, problems }) => (problems.length === 0 ? [row] : []))
  const send = useChange({
    change: () =>
      answered(api.POST('/scheduled-posts/import', { body: { ...body, rows: ready }, params: named(attempt) })),
    touches: ['scheduled-post', 'due-work'],
    done: ({ scheduled }) => plural(scheduled, { one: '# post scheduled.', other: '# posts scheduled.' }),
    showsProblem: true,
  })
  const choose = async (file: File | undefined) => {
    if (!file) return
    const text = await file.text()
    send.reset()
    setCsv(text)
    setAttempt(attemptName())
    trial.mutate(text)
  }
  const { rows } = send.data ?? trial.data ?? {}
  return (
    <Dialog title={t`Import a CSV file`} isOpen onClose={onClose}>
      <p className="hint">
        <Trans>
          Each row becomes a scheduled post, at most 500. Times are in {OWN_ZONE.replaceAll('_', ' ')}; nothing is
          scheduled before you confirm.{' '}
          <a href={`data:text/csv;charset=utf-8,${encodeURIComponent(EXAMPLE)}`} download="posts.csv">
            Download an example
          </a>
        </Trans>
      </p>
      <Actions>
        <FileTrigger acceptedFileTypes={['.csv', 'text/csv']} onSelect={(files) => void choose(files?.[0])}>
          <Button>{csv === '' ? t`Choose a file` : t`Choose another file`}</Button>
        </FileTrigger>
      </Actions>
      {trial.isPending && <Loading lines={3} />}
      {trial.error && <Problem error={trial.error} />}
      {send.error && <Problem error={send.error} />}
      {rows && <Rows of={rows} />}
      {trial.data && !send.data && (
        <>
          {ready.length < checked.length && (
            <p className="hint">
              <Plural
                value={checked.length - ready.length}
                one="# row with problems will be left out."
                other="# rows with problems will be left out."
              />
            </p>
          )}
          <Actions>
            <Button
              look="main"
              isDisabled={ready.length === 0}
              isPending={send.isPending}
              onPress={() => send.mutate(undefined)}
            >
              <Plural value={ready.length} one="Schedule # post" other="Schedule # posts" />
            </Button>
          </Actions>
        </>
      )}
      {send.data && (
        <Actions>
          <Button look="main" onPress={onClose}>
            <Trans>Done</Trans>
          </Button>
        </Actions>
      )}
    </Dialog>
  )
}

function Rows({ of }: { readonly of: readonly ImportedRow[] }) {
  const more = of.length - SHOWN
  return (
    <div className="table-scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">
              <Trans>Row</Trans>
            </th>
            <th scope="col">
              <Trans>Time</Trans>
            </th>
            <th scope="col">
              <Trans>Result</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {of.slice(0, SHOWN).map(({ row, id, scheduledAtUtc, problems, warnings }) => (
            <tr key={row}>
              <td>{row}</td>
              <td>{scheduledAtUtc ? <Moment at={scheduledAtUtc} /> : '–'}</td>
              <td>
                <Status of={id ? 'scheduled' : problems.length > 0 ? 'invalid' : 'ready'} />
                {[...problems, ...warnings].map((sentence) => (
                  <p key={sentence}>{sentence}</p>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p className="hint">
          <Trans>And {more} more.</Trans>
        </p>
      )}
    </div>
  )
}
