import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react'
import { Form } from 'react-aria-components'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '../client/api-error.ts'
import { answered, api, attemptName, named } from '../client/client.ts'
import { useChange, usePlatforms } from '../client/queries.ts'
import { AccountPicker, useAccountName, usePlatformName } from '../parts/accounts.tsx'
import { Actions, Button } from '../parts/buttons.tsx'
import { DestinationChoice } from '../parts/destinations.tsx'
import { Confirm } from '../parts/dialogs.tsx'
import { Choice, Field, Segments } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Loading, Problem } from '../parts/shown.tsx'
import { ZONES } from '../parts/time.ts'
import { useSettled } from '../parts/use-settled.ts'
import {
  bodyOf,
  chainOf,
  changesOf,
  draftOf,
  dueOf,
  isChain,
  isUploading,
  newDraft,
  savedAs,
  type Draft,
} from './compose/draft.ts'
import { actionName, useAsksApproval } from './compose/asks-approval.ts'
import { ByPlatform } from './compose/by-platform.tsx'
import { LaterParts } from './compose/later-parts.tsx'
import { MediaField } from './compose/media-field.tsx'
import { NextSlot } from './compose/next-slot.tsx'
import { Preview } from './compose/preview.tsx'

/** The id of the post that a refusal names, if it was refused as the same again. */
function sameAgain(error: Error | null): string | undefined {
  const isRefused = error instanceof ApiError && error.code === 'failed_precondition'
  return isRefused ? /^post_\w+/.exec(error.message)?.[0] : undefined
}

/** What is written: a new post, a draft or a scheduled post. */
type Source = { readonly kind: 'post' } | { readonly kind: 'draft' | 'scheduled-post'; readonly id: string }

const TIMES = [
  { value: 'slot', label: 'Next free slot' },
  { value: 'later', label: 'Later' },
] as const

const TITLES = { post: 'Compose', draft: 'Draft', 'scheduled-post': 'Edit scheduled post' }
/** How long (ms) the user must pause before a draft is saved. */
const AUTOSAVE_MS = 2_000

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
  const navigate = useNavigate()
  const [draft, setDraft] = useState(initial)
  // Kept until the post is accepted, so that a retry is not published twice.
  const [attempt, setAttempt] = useState(attemptName)
  const nameOf = usePlatformName()
  const accountName = useAccountName()
  const set = <K extends keyof Draft>(name: K) => {
    return (value: Draft[K]) => setDraft((now) => ({ ...now, [name]: value }))
  }
  const autosave = useAutosave(source, draft)
  const asks = useAsksApproval(draft.selections)
  const isTimed = source.kind === 'scheduled-post' && initial.when !== 'now'

  const send = useChange({
    change: async (written: Draft & { readonly allowDuplicate?: true }) => {
      const { when } = written
      const due = dueOf(written)
      const allowed = written.allowDuplicate && { allowDuplicate: true }
      const params = named(attempt)
      if (source.kind === 'post' && isChain(written)) {
        const body = { ...chainOf(written), ...allowed, ...(when !== 'now' && due) }
        return answered(api.POST('/posts/chain', { body, params }))
      }
      if (source.kind === 'post') {
        const body = { ...bodyOf(written), ...allowed }
        if (when === 'now') return answered(api.POST('/posts', { body, params }))
        return answered(api.POST('/posts/scheduled', { body: { ...body, ...due }, params }))
      }
      const path = { id: source.id }
      if (source.kind === 'scheduled-post') {
        const body = { ...changesOf(written), ...(when !== 'now' && due) }
        return answered(api.PATCH('/scheduled-posts/{id}', { params: { path }, body }))
      }
      await autosave.save(isChain(written) ? { ...written, firstComment: '' } : written)
      const asked = { params: { ...params, path } }
      if (when === 'now') return answered(api.POST('/drafts/{id}/publish', { ...asked, body: { ...allowed } }))
      return answered(api.POST('/drafts/{id}/schedule', { ...asked, body: { ...due, ...allowed } }))
    },
    touches: ['post', 'scheduled-post', 'draft', 'due-work'],
    done: (_, { when }) =>
      asks
        ? 'Approval requested.'
        : source.kind === 'scheduled-post'
          ? 'Saved.'
          : when === 'now'
            ? 'Publishing…'
            : 'The post is scheduled.',
    onDone: ({ id }, { when }) => {
      setAttempt(attemptName())
      void navigate(when === 'now' ? `/posts/${id}` : '/posts?show=scheduled')
    },
    showsProblem: true,
  })
  const keep = useChange({
    change: (written: Draft) => answered(api.POST('/drafts', { body: savedAs(written), params: named(attempt) })),
    touches: ['draft'],
    done: 'Saved as a draft.',
    onDone: ({ id }) => void navigate(`/compose?draft=${id}`, { replace: true }),
  })
  const earlier = sameAgain(send.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate(draft)
  }
  const isUnsent = isUploading(draft)
  const platforms = Object.keys(draft.selections)
  const { data: facts } = usePlatforms()
  const hasDestinations = (key: string) => facts?.find((platform) => platform.key === key)?.hasDestinations ?? false

  return (
    <Page title={TITLES[source.kind]} intro="Write once, publish to any number of accounts.">
      <div className="two">
        <Form onSubmit={submit} className="stack">
          <Card title="What">
            <div className="stack">
              <MediaField
                draft={draft}
                isOptional={draft.caption.trim() !== ''}
                onChange={(how) => setDraft((now) => ({ ...now, ...how(now) }))}
              />
              <Field label="Caption" rows={5} value={draft.caption} onChange={set('caption')} />
              <Field
                label="Hashtags"
                value={draft.hashtags}
                onChange={set('hashtags')}
                hint="Added after the caption. Separate with spaces."
              />
              <LaterParts parts={draft.parts} onChange={set('parts')} />
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
              {platforms.length > 0 && <ByPlatform draft={draft} set={set} />}
            </div>
          </Card>
          <Card title="When">
            <div className="stack">
              <Segments
                label="When to publish"
                value={draft.when}
                options={isTimed ? TIMES : [{ value: 'now', label: asks ? 'When approved' : 'Now' }, ...TIMES]}
                onChange={set('when')}
              />
              {draft.when === 'slot' && (
                <NextSlot
                  selections={draft.selections}
                  postId={source.kind === 'scheduled-post' ? source.id : undefined}
                />
              )}
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
            back="Go back"
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
              {actionName(source.kind === 'scheduled-post', draft.when === 'now', asks)}
            </Button>
            {source.kind === 'post' && (
              <Button isPending={keep.isPending} isDisabled={isUnsent} onPress={() => keep.mutate(draft)}>
                Save draft
              </Button>
            )}
            {autosave.state && <span className="hint">{autosave.state}</span>}
            {isUnsent && <span className="hint">Waiting for the uploads.</span>}
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

/** Saves a draft while it is written: once the user pauses, and when the page is left. */
function useAutosave(source: Source, draft: Draft) {
  const id = source.kind === 'draft' ? source.id : undefined
  const settled = useSettled(draft, AUTOSAVE_MS)
  const saved = useRef(JSON.stringify(savedAs(draft)))
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  })
  const [state, setState] = useState<string>()
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const save = useCallback(
    (written: Draft) => {
      const turn = async () => {
        const body = savedAs(written)
        const text = JSON.stringify(body)
        if (id === undefined || text === saved.current || isUploading(written)) return
        await answered(api.PATCH('/drafts/{id}', { params: { path: { id } }, body }))
        saved.current = text
        setState('Saved.')
      }
      // One at a time: an older text must not arrive after a newer one.
      const done = last.current.then(turn, turn)
      last.current = done
      return done
    },
    [id],
  )
  useEffect(() => {
    save(settled).catch((error: unknown) => setState(`Not saved: ${String(error)}`))
  }, [settled, save])
  useEffect(() => () => void save(latest.current).catch(() => undefined), [save])
  return { state, save }
}
