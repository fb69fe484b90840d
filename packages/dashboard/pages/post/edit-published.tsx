import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { answered, api, attemptName, named } from '../../client/client.ts'
import { useChange, usePlatforms } from '../../client/queries.ts'
import type { Post, PostResult } from '../../client/types.ts'
import { usePlatformName } from '../../parts/accounts.tsx'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Field } from '../../parts/fields.tsx'
import { Moment, Problem, resultStatus } from '../../parts/shown.tsx'
import { locale } from '../../parts/words.ts'
import { NextAttempt } from './next-attempt.tsx'

/** Changes the text of a published post. Absent where no platform that has it can edit posts. */
export function EditPublished({ post }: { readonly post: Post }) {
  const { data: platforms = [] } = usePlatforms()
  const nameOf = usePlatformName()
  const [isOpen, setOpen] = useState(false)
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const live = Object.entries(post.publishResults).flatMap(([platform, results]) =>
    results.some((result) => resultStatus(result) === 'published') ? [platform] : [],
  )
  const canEdit = (platform: string) => platforms.some(({ key, canEdit }) => key === platform && canEdit)
  const listed = (keys: readonly string[]) => new Intl.ListFormat(locale()).format(keys.map(nameOf))
  const [changed, kept] = [live.filter(canEdit), live.filter((platform) => !canEdit(platform))]
  const captionOverrides = Object.fromEntries(
    Object.entries(post.captionOverrides).map(([platform, text]) => [platform, texts[platform] ?? text]),
  )
  const edit = useChange({
    change: () =>
      answered(
        api.POST('/posts/{id}/edit', {
          params: { path: { id: post.id }, ...named(attemptName()) },
          body: { caption: texts[''] ?? post.caption, captionOverrides },
        }),
      ),
    touches: ['post'],
    done: t`Editing…`,
    onDone: () => setOpen(false),
    showsProblem: true,
  })
  if (post.status === 'processing' || changed.length === 0) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    edit.mutate(undefined)
  }
  const field = (label: string, key: string, text: string) => (
    <Field
      key={key}
      label={label}
      rows={5}
      value={texts[key] ?? text}
      onChange={(value) => setTexts({ ...texts, [key]: value })}
      autoFocus={key === ''}
    />
  )
  return (
    <>
      <Button
        small
        onPress={() => {
          setTexts({})
          setOpen(true)
        }}
      >
        <Trans>Edit text</Trans>
      </Button>
      <Dialog title={t`Edit the published post`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Form onSubmit={submit}>
          {edit.error && <Problem error={edit.error} />}
          {field(t`Caption`, '', post.caption)}
          {Object.entries(post.captionOverrides).map(([platform, text]) =>
            field(t`Caption on ${nameOf(platform)}`, platform, text),
          )}
          <p className="hint">
            <Trans>The text changes on {listed(changed)}.</Trans>{' '}
            {kept.length > 0 && <Trans>It stays as it is on {listed(kept)}, where apps cannot edit posts.</Trans>}
          </p>
          <Actions>
            <Button look="main" type="submit" isPending={edit.isPending}>
              <Trans>Save</Trans>
            </Button>
          </Actions>
        </Form>
      </Dialog>
    </>
  )
}

/** What became of the last edit on an account. */
export function Edited({ result }: { readonly result: PostResult }) {
  if (!('edit' in result) || !result.edit) return null
  const { status, at, error, nextAttemptAt } = result.edit
  return (
    <span className="said">
      {status === 'edited' && (
        <>
          <Trans>
            Edited <Moment at={at} />
          </Trans>
        </>
      )}
      {status === 'in_progress' && t`It is being edited.`}
      {status === 'failed' && t`It could not be edited.`}
      <NextAttempt at={nextAttemptAt} error={error} />
    </span>
  )
}
