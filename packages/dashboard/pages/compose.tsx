import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '../client/api-error.ts'
import { answered, api, attemptName, named } from '../client/client.ts'
import { useChange, usePlatforms } from '../client/queries.ts'
import { AccountPicker, useAccountName, usePlatformName } from '../parts/accounts.tsx'
import { Actions, Button } from '../parts/buttons.tsx'
import { Confirm } from '../parts/dialogs.tsx'
import { DestinationChoice } from '../parts/destinations.tsx'
import { Choice, Field, Segments } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Problem } from '../parts/shown.tsx'
import { allZones } from '../parts/time.ts'
import { bodyOf, mediaTypeOf, newDraft, type Draft } from './compose/draft.ts'
import { MediaField } from './compose/media-field.tsx'
import { Preview } from './compose/preview.tsx'
import { useUpload } from './compose/use-upload.ts'

const ZONES = allZones().map((value) => ({ value, label: value.replaceAll('_', ' ') }))

/** The id of the post that a refusal names, if it was refused as the same again. */
function sameAgain(error: Error | null): string | undefined {
  const isRefused = error instanceof ApiError && error.code === 'failed_precondition'
  return isRefused ? /^post_\w+/.exec(error.message)?.[0] : undefined
}

export default function Compose() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(() => newDraft(params))
  // Kept until the post is accepted, so that a retry is not published twice.
  const [attempt, setAttempt] = useState(attemptName)
  const nameOf = usePlatformName()
  const accountName = useAccountName()
  const set = <K extends keyof Draft>(name: K) => {
    return (value: Draft[K]) => setDraft((now) => ({ ...now, [name]: value }))
  }

  const upload = useUpload((mediaUrl, mediaType) =>
    setDraft((now) => ({ ...now, mediaUrl, mediaType: mediaType ?? 'auto' })),
  )

  const send = useChange({
    change: async (written: Draft & { readonly allowDuplicate?: true }) => {
      const body = { ...bodyOf(written), ...(written.allowDuplicate && { allowDuplicate: true }) }
      const params = named(attempt)
      if (written.when === 'now') return answered(api.POST('/posts', { body, params }))
      const { date, time, timezone } = written
      return answered(api.POST('/posts/scheduled', { body: { ...body, date, time, timezone }, params }))
    },
    touches: ['post', 'scheduled-post', 'due-work'],
    done: (_, { when }) => (when === 'now' ? 'Publishing…' : 'The post is scheduled.'),
    onDone: ({ id }, { when }) => {
      setAttempt(attemptName())
      void navigate(when === 'now' ? `/posts/${id}` : '/posts?show=scheduled')
    },
    showsProblem: true,
  })
  const earlier = sameAgain(send.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate(draft)
  }
  const isUnsent = upload.file !== undefined && draft.mediaUrl === ''
  const platforms = Object.keys(draft.selections)
  const { data: facts } = usePlatforms()
  const hasDestinations = (key: string) => facts?.find((platform) => platform.key === key)?.hasDestinations ?? false

  return (
    <Page title="Compose" intro="Write once, publish to any number of accounts.">
      <div className="two">
        <Form onSubmit={submit} className="stack">
          <Card title="What">
            <div className="stack">
              <MediaField url={draft.mediaUrl} onUrl={set('mediaUrl')} upload={upload} />
              {!upload.file && (
                <Segments
                  label="Media type"
                  value={mediaTypeOf(draft)}
                  options={[
                    { value: 'image', label: 'Picture' },
                    { value: 'video', label: 'Video' },
                  ]}
                  onChange={set('mediaType')}
                />
              )}
              <Field label="Caption" rows={5} value={draft.caption} onChange={set('caption')} />
              <Field
                label="Hashtags"
                value={draft.hashtags}
                onChange={set('hashtags')}
                hint="Added after the caption. Separate with spaces."
              />
            </div>
          </Card>
          <Card title="Where">
            <div className="stack">
              <AccountPicker label="Accounts" value={draft.selections} onChange={set('selections')} />
              {platforms
                .filter(hasDestinations)
                .flatMap((platform) =>
                  (draft.selections[platform] ?? []).map((id, _, { length }) => (
                    <DestinationChoice
                      key={id}
                      accountId={id}
                      label={`Where on ${nameOf(platform)}${length > 1 ? ` (${accountName(id)})` : ''}`}
                      offersDefault
                      value={draft.destinations[id]}
                      onChange={(options) => set('destinations')({ ...draft.destinations, [id]: options })}
                    />
                  )),
                )}
              {platforms.length > 0 && (
                <details>
                  <summary>Captions by platform, and a first comment</summary>
                  <div className="stack indented">
                    {platforms.map((platform) => (
                      <Field
                        key={platform}
                        label={`Caption on ${nameOf(platform)}`}
                        rows={3}
                        value={draft.overrides[platform] ?? ''}
                        onChange={(text) => set('overrides')({ ...draft.overrides, [platform]: text })}
                        placeholder="Same as above"
                      />
                    ))}
                    <Field
                      label="First comment"
                      rows={2}
                      value={draft.firstComment}
                      onChange={set('firstComment')}
                      hint="On Facebook and Instagram."
                    />
                  </div>
                </details>
              )}
            </div>
          </Card>
          <Card title="When">
            <div className="stack">
              <Segments
                label="When to publish"
                value={draft.when}
                options={[
                  { value: 'now', label: 'Now' },
                  { value: 'later', label: 'Later' },
                ]}
                onChange={set('when')}
              />
              {draft.when === 'later' && (
                <div className="row">
                  <Field label="Date" type="date" value={draft.date} onChange={set('date')} isRequired />
                  <Field label="Time" type="time" value={draft.time} onChange={set('time')} isRequired />
                  <Choice label="Time zone" value={draft.timezone} options={ZONES} onChange={set('timezone')} />
                </div>
              )}
            </div>
          </Card>
          {send.error && earlier === undefined && <Problem error={send.error} />}
          <Confirm
            title="Post the same again?"
            isOpen={earlier !== undefined}
            onClose={send.reset}
            action={draft.when === 'now' ? 'Publish anyway' : 'Schedule anyway'}
            isPending={send.isPending}
            onConfirm={() => send.mutate({ ...draft, allowDuplicate: true })}
          >
            <p>
              One of these accounts has, or will have, the same text and media less than 24 hours apart:{' '}
              <Link to={`/posts/${earlier ?? ''}`}>see that post</Link>.
            </p>
          </Confirm>
          <Actions>
            <Button look="main" type="submit" isPending={send.isPending} isDisabled={isUnsent}>
              {draft.when === 'now' ? 'Publish' : 'Schedule'}
            </Button>
            {upload.isSending && <span className="hint">The file is being uploaded.</span>}
            {platforms.length === 0 && <span className="hint">Choose at least one account.</span>}
          </Actions>
        </Form>
        <div className="beside">
          <Preview draft={draft} />
        </div>
      </div>
    </Page>
  )
}
