import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { answered, api, attemptName, named } from '../../client/client.ts'
import { useChange, useSession } from '../../client/queries.ts'
import type { Approval } from '../../client/types.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Choice, Field } from '../../parts/fields.tsx'
import { Irrevocable } from '../../parts/irrevocable.tsx'
import { Problem } from '../../parts/shown.tsx'
import { inOwnZone, instantOf, OWN_ZONE } from '../../parts/time.ts'

const TOUCHES = ['scheduled-post', 'post', 'due-work'] as const

/** What somebody who may decide can do about a post. */
export function Decide({ of }: { readonly of: Approval }) {
  const { permissions } = useSession()
  const [asked, setAsked] = useState<'time' | 'changes'>()
  const { id, status, version, publishes, post } = of
  const hasPassed = status === 'held'
  const approve = useChange({
    change: (scheduledFor: string | undefined) =>
      answered(
        api.POST('/approvals/{id}/approve', {
          params: { path: { id }, ...named(attemptName()) },
          body: { version, ...(scheduledFor !== undefined && { scheduledFor }) },
        }),
      ),
    touches: TOUCHES,
    done: ({ post: { scheduledAtUtc } }) =>
      Date.parse(scheduledAtUtc) > Date.now()
        ? t`Approved. It is published ${{ time: inOwnZone(scheduledAtUtc) }}.`
        : t`Approved. Publishing…`,
    onDone: () => setAsked(undefined),
  })
  if (!permissions.includes('approvals:decide') || status === 'rejected' || post.status !== 'pending') return null
  return (
    <>
      <Actions>
        {status !== 'approved' && (
          <Button
            small
            look="main"
            isPending={approve.isPending}
            onPress={() => (hasPassed ? setAsked('time') : approve.mutate(undefined))}
          >
            {hasPassed
              ? t`Approve for another time`
              : publishes === 'on_approval'
                ? t`Approve and publish`
                : t`Approve`}
          </Button>
        )}
        <Button small onPress={() => setAsked('changes')}>
          <Trans>Request changes</Trans>
        </Button>
        <Irrevocable
          small
          action={t`Reject`}
          title={t`Reject this post?`}
          change={() => answered(api.POST('/approvals/{id}/reject', { params: { path: { id } } }))}
          touches={TOUCHES}
          done={t`Post rejected.`}
        >
          <Trans>It is cancelled and will not be published.</Trans>
        </Irrevocable>
      </Actions>
      <AnotherTime
        isOpen={asked === 'time'}
        isPending={approve.isPending}
        onClose={() => setAsked(undefined)}
        onChosen={(time) => approve.mutate(time)}
      />
      <RequestChanges id={id} isOpen={asked === 'changes'} onClose={() => setAsked(undefined)} />
    </>
  )
}

const TIMES = [
  { value: 'now', label: t`Now` },
  { value: 'next-slot', label: t`Next free slot` },
  { value: 'later', label: t`Later` },
] as const

function AnotherTime(props: {
  readonly isOpen: boolean
  readonly isPending: boolean
  readonly onClose: () => void
  readonly onChosen: (scheduledFor: string) => void
}) {
  const { isOpen, isPending, onClose, onChosen } = props
  const [when, setWhen] = useState('now')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    onChosen(when === 'later' ? instantOf(String(fields.get('date')), String(fields.get('time'))) : when)
  }
  return (
    <Dialog title={t`Approve for another time`} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        <p>
          <Trans>The time of this post has passed, so it was not published.</Trans>
        </p>
        <Choice label={t`Publish`} value={when} options={TIMES} onChange={setWhen} />
        {when === 'later' && (
          <>
            <div className="row">
              <Field label={t`Date`} name="date" type="date" isRequired />
              <Field label={t`Time`} name="time" type="time" isRequired />
            </div>
            <p className="hint">
              <Trans>In your time zone, {{ zone: OWN_ZONE.replaceAll('_', ' ') }}.</Trans>
            </p>
          </>
        )}
        <Actions>
          <Button look="main" type="submit" isPending={isPending}>
            <Trans>Approve</Trans>
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}

function RequestChanges({
  id,
  isOpen,
  onClose,
}: {
  readonly id: string
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  const request = useChange({
    change: (comment: string) =>
      answered(api.POST('/approvals/{id}/request-changes', { params: { path: { id } }, body: { comment } })),
    touches: TOUCHES,
    done: t`Changes requested.`,
    onDone: onClose,
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    request.mutate(String(new FormData(event.currentTarget).get('comment')))
  }
  return (
    <Dialog title={t`Request changes`} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        {request.error && <Problem error={request.error} />}
        <Field
          label={t`What should change?`}
          name="comment"
          rows={3}
          maxLength={2000}
          isRequired
          autoFocus
          hint={t`The author is notified. The post is not published before it is approved.`}
        />
        <Actions>
          <Button look="main" type="submit" isPending={request.isPending}>
            <Trans>Request changes</Trans>
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
