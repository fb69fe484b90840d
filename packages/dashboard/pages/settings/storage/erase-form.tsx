import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from 'react-aria-components'
import { answered, api, attemptName, named } from '../../../client/client.ts'
import { useAccounts, useChange } from '../../../client/queries.ts'
import type { ErasureBody } from '../../../client/types.ts'
import { usePlatformName } from '../../../parts/accounts.tsx'
import { Actions, Button } from '../../../parts/buttons.tsx'
import { Confirm } from '../../../parts/dialogs.tsx'
import { Checkbox, Choice, Field } from '../../../parts/fields.tsx'
import { Problem } from '../../../parts/shown.tsx'
import { useSettled } from '../../../parts/use-settled.ts'
import { useUrlState } from '../../../parts/url-state.ts'
import { counts } from './counts.ts'

const SETTLED_MS = 400

/** Counts what matches while the form is filled in, and erases it on request. */
export function EraseForm() {
  const [author, setAuthor] = useUrlState<string>('author', '')
  const [accountId, setAccountId] = useState('')
  const [day, setDay] = useState('')
  const [isAll, setAll] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [attempt, setAttempt] = useState(attemptName)
  const { data: accounts = {} } = useAccounts()
  const nameOf = usePlatformName()

  const body = bodyOf({ author, accountId, day, isAll })
  const settled = useSettled(body, SETTLED_MS)
  const isSettled = body !== null && JSON.stringify(body) === JSON.stringify(settled)
  const preview = useQuery({
    queryKey: ['erasure', 'preview', settled],
    queryFn: () => answered(api.POST('/erasures/preview', { body: settled ?? {} })),
    enabled: settled !== null,
  })
  const erase = useChange({
    change: (erased: ErasureBody) => answered(api.POST('/erasures', { body: erased, params: named(attempt) })),
    touches: ['erasure', 'comment', 'reply', 'delivery'],
    done: t`The data is being erased.`,
    onDone: () => {
      setAttempt(attemptName())
      setAsking(false)
    },
  })
  const isCounted = isSettled && preview.data !== undefined
  const found = isCounted ? counts(preview.data) : undefined

  return (
    <Form>
      <p className="muted">
        <Trans>
          Their comments, the replies to them and webhook deliveries about either remain, but read “[erased]”. Nothing
          is deleted on the platforms.
        </Trans>
      </p>
      {!isAll && (
        <>
          <Field
            label={t`Author`}
            hint={t`The name as it is shown with the comment, or the id on the platform.`}
            value={author}
            onChange={setAuthor}
          />
          <Choice
            label={t`Account`}
            value={accountId}
            onChange={setAccountId}
            options={[
              { value: '', label: t`All accounts` },
              ...Object.entries(accounts).flatMap(([platform, list]) =>
                list.map(({ id, label }) => ({ value: id, label: `${nameOf(platform)}: ${label}` })),
              ),
            ]}
          />
          <Field label={t`Received before`} type="date" value={day} onChange={setDay} />
        </>
      )}
      <Checkbox isSelected={isAll} onChange={setAll}>
        <Trans>All comments of this workspace</Trans>
      </Checkbox>
      {preview.error && <Problem error={preview.error} onRetry={() => void preview.refetch()} />}
      <p role="status">{isCounted ? (found ? t`Found: ${found}.` : t`Found: nothing.`) : '\u00a0'}</p>
      <Actions>
        <Button look="danger" isDisabled={!found} onPress={() => setAsking(true)}>
          <Trans>Erase</Trans>
        </Button>
      </Actions>
      <Confirm
        title={t`Erase this data for good?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action={t`Erase`}
        isPending={erase.isPending}
        onConfirm={() => body && erase.mutate(body)}
      >
        <p>
          <Trans>
            {found} will read “[erased]”, and replies that wait for review will be rejected. This cannot be undone.
          </Trans>
        </p>
      </Confirm>
    </Form>
  )
}

/** Null while nothing is chosen. */
function bodyOf(given: {
  readonly author: string
  readonly accountId: string
  readonly day: string
  readonly isAll: boolean
}): ErasureBody | null {
  const { author, accountId, day, isAll } = given
  if (isAll) return { all: true }
  const time = new Date(`${day}T00:00`)
  const body = {
    ...(author.trim() && { author: author.trim() }),
    ...(accountId && { accountId }),
    ...(!Number.isNaN(time.getTime()) && { before: time.toISOString() }),
  }
  return Object.keys(body).length > 0 ? body : null
}
