import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { Link, useSearchParams } from 'react-router'
import { ApiError } from '../client/api-error.ts'
import { answered, api } from '../client/client.ts'
import { usePlatforms } from '../client/queries.ts'
import { AccountPicker, useAccountName, usePlatformName } from '../parts/accounts.tsx'
import { Actions, Button } from '../parts/buttons.tsx'
import { DestinationChoice } from '../parts/destinations.tsx'
import { Confirm } from '../parts/dialogs.tsx'
import { Field } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Loading, Problem } from '../parts/shown.tsx'
import { useSubmitKeys } from '../parts/use-submit-keys.ts'
import { actionName, useAsksApproval } from './compose/asks-approval.ts'
import { ByPlatform } from './compose/by-platform.tsx'
import { Captions } from './compose/captions.tsx'
import { draftOf, isUploading, newDraft, type Draft } from './compose/draft.ts'
import { FieldProblems } from './compose/field-problems.tsx'
import { ManyAccounts } from './compose/many-accounts.tsx'
import { LaterParts } from './compose/later-parts.tsx'
import { MediaField } from './compose/media-field.tsx'
import { Previews } from './compose/preview.tsx'
import { useCheckedSend } from './compose/use-checked-send.ts'
import { usePreview } from './compose/use-preview.ts'
import { useSend, type Source } from './compose/use-send.ts'
import { WhenField } from './compose/when-field.tsx'

/** The id of the post that a refusal names, if it was refused as the same again. */
function sameAgain(error: Error | null): string | undefined {
  const isRefused = error instanceof ApiError && error.code === 'failed_precondition'
  return isRefused ? /^post_\w+/.exec(error.message)?.[0] : undefined
}

const TITLES = { post: t`Compose`, draft: t`Draft`, 'scheduled-post': t`Edit scheduled post` }

export default function Compose() {
  const [params] = useSearchParams()
  const [draftId, scheduledId] = [params.get('draft'), params.get('edit')]
  if (draftId !== null) return <Existing key={draftId} source={{ kind: 'draft', id: draftId }} />
  if (scheduledId !== null) return <Existing key={scheduledId} source={{ kind: 'scheduled-post', id: scheduledId }} />
  return <Composer source={{ kind: 'post' }} initial={newDraft(params)} />
}

function Existing({ source }: { readonly source: Exclude<Source, { kind: 'post' }> }) {
  const { kind, id } = source
  const params = { path: { id } }
  const saved = useQuery({
    queryKey: [kind, id, 'edit'],
    queryFn: async () =>
      draftOf(
        kind === 'draft'
          ? await answered(api.GET('/drafts/{id}', { params }))
          : await answered(api.GET('/scheduled-posts/{id}', { params })),
      ),
    // The form is not reset by what it has saved.
    staleTime: Infinity,
    gcTime: 0,
  })
  if (saved.data) return <Composer source={source} initial={saved.data} />
  return (
    <Page title={TITLES[kind]}>
      {saved.error ? <Problem error={saved.error} onRetry={() => void saved.refetch()} /> : <Loading lines={4} />}
    </Page>
  )
}

function Composer({ source, initial }: { readonly source: Source; readonly initial: Draft }) {
  const [draft, setDraft] = useState(initial)
  const nameOf = usePlatformName()
  const accountName = useAccountName()
  const set = <K extends keyof Draft>(name: K) => {
    return (value: Draft[K]) => setDraft((now) => ({ ...now, [name]: value }))
  }
  const asks = useAsksApproval(draft.selections)
  const isScheduled = source.kind === 'scheduled-post'
  const { send, keep, autosave } = useSend(source, draft, asks)
  const checked = usePreview(draft)
  const { previews, problems } = checked
  const { fit, refused, reason, isChecking, submit } = useCheckedSend(draft, checked, send.mutate)
  const earlier = sameAgain(send.error)
  const form = useSubmitKeys()
  const platforms = Object.keys(draft.selections)
  const { data: facts } = usePlatforms()
  const hasDestinations = (key: string) => facts?.find((platform) => platform.key === key)?.hasDestinations ?? false
  const action = actionName(isScheduled, draft.when === 'now', asks)
  const fitting = Object.values(fit.selections).flat().length
  const isPartial = reason === undefined && refused.length > 0
  const left = refused.map(({ platform, accountId }) => `${nameOf(platform)} (${accountName(accountId)})`).join(', ')

  return (
    <Page title={TITLES[source.kind]} intro={t`Write once, publish to any number of accounts.`}>
      <div className="two compose">
        <Form
          ref={form}
          onSubmit={(event: FormEvent) => {
            event.preventDefault()
            if (!send.isPending) void submit()
          }}
          className="stack"
        >
          <Card title={t`What`}>
            <div className="stack">
              <MediaField
                draft={draft}
                isOptional={draft.caption.trim() !== ''}
                onChange={(how) => setDraft((now) => ({ ...now, ...how(now) }))}
              />
              <FieldProblems of={problems} at={/^(?:media|parts\[0\]\.media)/} />
              <Captions
                draft={draft}
                previews={previews}
                problems={problems}
                onChange={set('caption')}
                onOwn={set('overrides')}
              />
              <Field
                label={t`Hashtags`}
                value={draft.hashtags}
                onChange={set('hashtags')}
                hint={t`Added after the caption. Separate with spaces.`}
              />
              <FieldProblems of={problems} at={/^hashtags/} />
              <LaterParts parts={draft.parts} previews={previews} problems={problems} onChange={set('parts')} />
            </div>
          </Card>
          <Card title={t`Where`}>
            <div className="stack">
              {platforms.length === 0 && <ManyAccounts onChoose={set('selections')} />}
              <AccountPicker label={t`Accounts`} value={draft.selections} onChange={set('selections')} />
              <FieldProblems of={problems} at={/^selections/} />
              {platforms
                .filter(hasDestinations)
                .flatMap((platform) =>
                  (draft.selections[platform] ?? []).map((id, _, { length }) => (
                    <DestinationChoice
                      key={id}
                      accountId={id}
                      label={
                        length > 1
                          ? t`Where on ${nameOf(platform)} (${accountName(id)})`
                          : t`Where on ${nameOf(platform)}`
                      }
                      offersDefault
                      value={draft.destinations[id]}
                      onChange={(options) => set('destinations')({ ...draft.destinations, [id]: options })}
                    />
                  )),
                )}
              {platforms.length > 0 && <ByPlatform draft={draft} problems={problems} set={set} />}
            </div>
          </Card>
          <Card title={t`When`}>
            <WhenField
              draft={draft}
              now={isScheduled && initial.when !== 'now' ? undefined : asks ? t`When approved` : t`Now`}
              postId={isScheduled ? source.id : undefined}
              set={set}
            />
          </Card>
          {send.error && earlier === undefined && <Problem error={send.error} />}
          <Confirm
            title={t`Post the same again?`}
            isOpen={earlier !== undefined}
            onClose={send.reset}
            action={draft.when === 'now' ? t`Publish anyway` : t`Schedule anyway`}
            back={t`Go back`}
            isPending={send.isPending}
            onConfirm={() => send.mutate({ ...fit, allowDuplicate: true })}
          >
            <p>
              <Trans>
                One of these accounts has, or will have, the same text and media less than 24 hours apart:{' '}
                <Link to={`/posts/${earlier ?? ''}`}>see that post</Link>.
              </Trans>
            </p>
          </Confirm>
          <Actions>
            <Button
              look="main"
              type="submit"
              isPending={send.isPending || isChecking}
              isDisabled={reason !== undefined}
            >
              {isPartial ? action.some(fitting) : action.all}
            </Button>
            {source.kind === 'post' && (
              <Button isPending={keep.isPending} isDisabled={isUploading(draft)} onPress={() => keep.mutate(draft)}>
                <Trans>Save draft</Trans>
              </Button>
            )}
            {autosave.state && <span className="hint">{autosave.state}</span>}
            {reason !== undefined && <span className="hint">{reason}</span>}
            {isPartial && (
              <span className="hint">
                <Trans>Not on {left}.</Trans>
              </span>
            )}
          </Actions>
        </Form>
        <div className="beside">
          <Previews of={checked} />
        </div>
      </div>
    </Page>
  )
}
