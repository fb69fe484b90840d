import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { answered, api } from '../../client/client.ts'
import { useChange } from '../../client/queries.ts'
import type { Media } from '../../client/types.ts'
import { Actions, Button, ButtonLink } from '../../parts/buttons.tsx'
import { Dialog } from '../../parts/dialogs.tsx'
import { Field, Switch } from '../../parts/fields.tsx'
import { sizeOf } from '../../parts/files.tsx'
import { Irrevocable } from '../../parts/irrevocable.tsx'
import { thumbnailOf } from '../../parts/media-list.tsx'
import { Loading, Moment, Problem } from '../../parts/shown.tsx'
import { toast } from '../../parts/toasts.tsx'
import { locale } from '../../parts/words.ts'

/** One file: its alt text, where it is used, and what can be done with it. */
export function FileDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const params = { path: { id } }
  const { data, error, refetch } = useQuery({
    queryKey: ['media', id],
    queryFn: () => answered(api.GET('/media/{id}', { params })),
  })
  return (
    <Dialog title={data?.fileName ?? t`File`} isOpen onClose={onClose}>
      {data ? (
        <File file={data} onClose={onClose} />
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}

function File({ file, onClose }: { readonly file: Media; readonly onClose: () => void }) {
  const { id, fileName, mediaType, mediaUrl, altText = '', keep } = file
  const [text, setText] = useState(altText)
  const params = { path: { id } }
  const edit = useChange({
    change: (body: { readonly altText?: string | null; readonly keep?: boolean }) =>
      answered(api.PATCH('/media/{id}', { params, body })),
    touches: ['media'],
    done: t`Saved.`,
  })
  const copy = () =>
    navigator.clipboard.writeText(mediaUrl).then(
      () => toast({ text: t`URL copied.` }),
      () => toast({ text: t`The browser did not allow copying.`, tone: 'bad' }),
    )
  const query = new URLSearchParams({ mediaUrl, mediaType, ...(altText && { altText }) })
  return (
    <div className="stack">
      <div className="shown-file">
        {mediaType === 'image' && <img src={thumbnailOf(file)} alt={altText} />}
        {mediaType === 'video' && (
          <video src={thumbnailOf(file)} controls preload="metadata" aria-label={altText || fileName} />
        )}
        {mediaType === 'document' && (
          <a href={thumbnailOf(file)} target="_blank" rel="noreferrer">
            <Trans>Open the document</Trans>
          </a>
        )}
      </div>
      <p className="hint">{factsOf(file).join(' · ')}</p>
      {mediaType !== 'document' && (
        <>
          <Field
            label={t`Alt text`}
            rows={3}
            value={text}
            onChange={setText}
            hint={t`What it shows, for people who cannot see it. Posts that give none of their own have this one.`}
          />
          <Actions>
            <Button
              isPending={edit.isPending}
              isDisabled={text.trim() === altText}
              onPress={() => edit.mutate({ altText: text.trim() || null })}
            >
              <Trans>Save alt text</Trans>
            </Button>
          </Actions>
        </>
      )}
      <Switch isSelected={keep} onChange={(isOn) => edit.mutate({ keep: isOn })}>
        <Trans>Keep until I delete it</Trans>
      </Switch>
      <UsedBy file={file} />
      <Actions>
        <ButtonLink look="main" to={`/compose?${query}`}>
          <Trans context="verb">Post</Trans>
        </ButtonLink>
        <Button onPress={() => void copy()}>
          <Trans>Copy URL</Trans>
        </Button>
        <Irrevocable
          action={t`Delete`}
          name={t`Delete ${fileName}`}
          title={t`Delete this file?`}
          change={() => answered(api.DELETE('/media/{id}', { params }))}
          touches={['media']}
          done={t`File deleted.`}
          onDone={onClose}
        >
          <Trans>This cannot be undone. Posts that have been published keep their copies on the platforms.</Trans>
        </Irrevocable>
      </Actions>
    </div>
  )
}

function factsOf({ mediaUrl, sizeBytes, width, height, durationMs }: Media): readonly string[] {
  return [
    mediaUrl.replace(/^.*\./, '').toUpperCase(),
    sizeOf(sizeBytes),
    ...(width !== undefined && height !== undefined ? [t`${width} × ${height} pixels`] : []),
    ...(durationMs === undefined
      ? []
      : [t`${{ seconds: (Math.round(durationMs / 100) / 10).toLocaleString(locale()) }} s`]),
  ]
}

const USERS = {
  post: { name: t`Post`, at: (id: string) => `/posts/${id}` },
  scheduled_post: { name: t`Scheduled post`, at: (id: string) => `/posts/${id}` },
  draft: { name: t`Draft`, at: (id: string) => `/compose?draft=${id}` },
  video: { name: t`Video`, at: () => '/videos' },
  recycling_rule: { name: t`Recycling rule`, at: () => '/recycling' },
}

function UsedBy({ file: { usedBy = [], usedAt, expiresAt } }: { readonly file: Media }) {
  if (usedBy.length > 0) {
    return (
      <section aria-label={t`Used by`}>
        <h3>
          <Trans>Used by</Trans>
        </h3>
        <ul className="uses">
          {usedBy.map(({ type, id, caption, at }) => (
            <li key={id}>
              <Link to={USERS[type].at(id)}>{caption || USERS[type].name}</Link>{' '}
              <span className="hint">
                {caption && `${USERS[type].name}, `}
                <Moment at={at} short />
              </span>
            </li>
          ))}
        </ul>
      </section>
    )
  }
  return (
    <p className="hint">
      {usedAt === undefined ? t`No post has used it.` : t`Nothing that still exists uses it.`}
      {expiresAt !== undefined && (
        <>
          {' '}
          <Trans>
            It is deleted <Moment at={expiresAt} /> unless one does, or you keep it.
          </Trans>
        </>
      )}
    </p>
  )
}
