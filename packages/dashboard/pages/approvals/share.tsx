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
import { Secret } from '../../parts/secret.tsx'
import { Moment, Problem } from '../../parts/shown.tsx'

const TOUCHES = ['scheduled-post', 'post'] as const

/** The links with which a client reviews the post without a login. */
export function Share({ of: { id, post, links } }: { readonly of: Approval }) {
  const { permissions } = useSession()
  const [isAsking, setAsking] = useState(false)
  const [link, setLink] = useState<string>()
  if (!permissions.includes('approvals:decide') || post.status !== 'pending') return null
  return (
    <>
      {links.length > 0 && (
        <ul className="stack" aria-label={t`Links`}>
          {links.map(({ id: linkId, label, mayDecide, expiresAt }) => (
            <li key={linkId} className="item-line">
              <span>
                {label || t`Link without a name`}{' '}
                <span className="hint">
                  {mayDecide ? (
                    <Trans>
                      works until <Moment at={expiresAt} />
                    </Trans>
                  ) : (
                    <Trans>
                      for comments only, works until <Moment at={expiresAt} />
                    </Trans>
                  )}
                </span>
              </span>
              <Irrevocable
                small
                action={t`Revoke`}
                name={label ? t`Revoke the link for ${label}` : t`Revoke the link for nobody in particular`}
                title={t`Revoke this link?`}
                change={() =>
                  answered(api.DELETE('/approvals/{id}/links/{linkId}', { params: { path: { id, linkId } } }))
                }
                touches={TOUCHES}
                done={t`Link revoked.`}
              >
                <Trans>It no longer shows the post.</Trans>
              </Irrevocable>
            </li>
          ))}
        </ul>
      )}
      <Actions>
        <Button small onPress={() => setAsking(true)}>
          <Trans>Share with a client</Trans>
        </Button>
      </Actions>
      <NewLink
        id={id}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onCreated={(created) => {
          setAsking(false)
          setLink(created)
        }}
      />
      <Secret
        title={t`Link for the client`}
        secret={link}
        hint={t`Anyone with this link sees this post. Copy it now: it is not shown again.`}
        onClose={() => setLink(undefined)}
      />
    </>
  )
}

const MAY = [
  { value: 'decide', label: t`Approve, request changes and reject` },
  { value: 'comment', label: t`Comment only` },
] as const

function NewLink(props: {
  readonly id: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onCreated: (link: string) => void
}) {
  const { id, isOpen, onClose, onCreated } = props
  const [may, setMay] = useState<string>('decide')
  const create = useChange({
    change: (body: { readonly label: string; readonly days: number; readonly mayDecide: boolean }) =>
      answered(api.POST('/approvals/{id}/links', { params: { path: { id }, ...named(attemptName()) }, body })),
    touches: TOUCHES,
    onDone: ({ link }) => onCreated(link),
    showsProblem: true,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const label = String(fields.get('label') ?? '').trim()
    create.mutate({ label, days: Number(fields.get('days')), mayDecide: may === 'decide' })
  }
  return (
    <Dialog title={t`Share with a client`} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={submit}>
        {create.error && <Problem error={create.error} />}
        <p>
          <Trans>
            Creates a link to this post. It works without a login, until the post is published, cancelled or rejected.
          </Trans>
        </p>
        <Field
          label={t`For`}
          name="label"
          maxLength={100}
          autoFocus
          hint={t`A name, to recognize the link. Optional.`}
        />
        <Choice label={t`They can`} value={may} options={MAY} onChange={setMay} />
        <Field
          label={t`Days the link works`}
          name="days"
          type="number"
          min={1}
          max={30}
          defaultValue="7"
          isRequired
          hint={t`1 to 30.`}
        />
        <Actions>
          <Button look="main" type="submit" isPending={create.isPending}>
            <Trans>Create link</Trans>
          </Button>
        </Actions>
      </Form>
    </Dialog>
  )
}
