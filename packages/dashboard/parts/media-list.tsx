import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'
import { answered, api } from '../client/client.ts'
import { pageAfter, useList } from '../client/queries.ts'
import type { Media, MediaType } from '../client/types.ts'
import { Field, Segments } from './fields.tsx'
import { sizeOf } from './files.tsx'
import { List } from './list.tsx'
import { Thumb } from './shown.tsx'
import { useSettled } from './use-settled.ts'

/** As many as fill whole rows. */
const TILES = 24
const SETTLED_MS = 300

type Show = 'all' | MediaType | 'unused'

const FILTERS = {
  all: {},
  image: { mediaType: 'image' },
  video: { mediaType: 'video' },
  document: { mediaType: 'document' },
  unused: { used: 'false' },
} as const

/** The uploaded files of the workspace, with a search. */
export function MediaList({
  empty,
  children,
}: {
  readonly empty: ReactNode
  /** What a file's tile is: a button, with `FileTile` in it. */
  readonly children: (file: Media) => ReactNode
}) {
  const [show, setShow] = useState<Show>('all')
  const [typed, setTyped] = useState('')
  const q = useSettled(typed.trim(), SETTLED_MS)
  const isFiltered = show !== 'all' || q !== ''
  const files = useList(['media', 'list', show, q], (cursor) =>
    answered(
      api.GET('/media', { params: { query: { ...pageAfter(cursor, TILES), ...FILTERS[show], ...(q && { q }) } } }),
    ),
  )
  return (
    <div className="stack">
      <div className="row">
        <Segments
          label={t`Which files`}
          value={show}
          options={[
            { value: 'all', label: t`All` },
            { value: 'image', label: t`Images` },
            { value: 'video', label: t`Videos` },
            { value: 'document', label: t`Documents` },
            { value: 'unused', label: t`Unused` },
          ]}
          onChange={setShow}
        />
        <Field
          label={t`Search`}
          type="search"
          value={typed}
          onChange={setTyped}
          placeholder={t`Search names and alt texts`}
        />
      </div>
      <List
        query={files}
        items={({ media }) => media.filter(({ status }) => status === 'ready')}
        empty={
          isFiltered ? (
            <p className="hint">
              <Trans>No such files.</Trans>
            </p>
          ) : (
            empty
          )
        }
      >
        {(media) => (
          <ul className="media-tiles">
            {media.map((file) => (
              <li key={file.id}>{children(file)}</li>
            ))}
          </ul>
        )}
      </List>
    </div>
  )
}

/** What a tile shows of a file. */
export function FileTile({ file }: { readonly file: Media }) {
  const { fileName, mediaType, mediaUrl, altText, sizeBytes } = file
  return (
    <>
      <Thumb url={thumbnailOf(file)} copy={mediaUrl} type={mediaType} />
      <span className="media-name">{fileName}</span>
      <span className="hint media-name">
        {mediaType === 'document' ? sizeOf(sizeBytes) : (altText ?? t`No alt text`)}
      </span>
    </>
  )
}

/** The page may have been opened at another address than that of media. */
export function thumbnailOf({ thumbnailUrl, mediaUrl }: Media): string {
  return new URL(thumbnailUrl ?? mediaUrl).pathname
}
