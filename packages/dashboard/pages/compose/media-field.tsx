import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { attemptName } from '../../client/client.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { Field, Segments } from '../../parts/fields.tsx'
import { FileDrop, UploadProgress } from '../../parts/files.tsx'
import { Thumb } from '../../parts/shown.tsx'
import { useUploads, type Item } from '../../parts/use-uploads.ts'
import { mediaTypeOf, type Draft } from './draft.ts'
import { Library } from './library.tsx'

const LONGEST_NAME = 40
const NAMES = { image: t`Image`, video: t`Video`, document: t`Document` }

type Media = Pick<Draft, 'media' | 'mediaUrl' | 'mediaType'>

/** The media of a post: files that are picked, dropped or pasted, and public URLs, in the order of the post. */
export function MediaField({
  draft,
  isOptional,
  onChange,
}: {
  readonly draft: Media
  /** Whether there is a text, which may be published alone. */
  readonly isOptional: boolean
  readonly onChange: (how: (now: Media) => Partial<Media>) => void
}) {
  const { media, mediaUrl } = draft
  const change = (how: (items: readonly Item[]) => readonly Item[]) => onChange((now) => ({ media: how(now.media) }))
  const { start, remove } = useUploads(change)
  const add = () =>
    onChange((now) => {
      const item = { key: attemptName(), url: now.mediaUrl, type: mediaTypeOf(now), altText: '' }
      return { media: [...now.media, item], mediaUrl: '', mediaType: 'auto' }
    })
  return (
    <>
      {media.length > 0 && (
        <ol className="tray" aria-label={t`Media`}>
          {media.map((item, index) => (
            <TrayItem
              key={item.key}
              item={item}
              place={media.length > 1 ? index + 1 : undefined}
              onAltText={(altText) =>
                change((items) => items.map((one) => (one.key === item.key ? { ...one, altText } : one)))
              }
              onEarlier={() => change((items) => earlier(items, item))}
              onRemove={() => remove(item)}
            />
          ))}
        </ol>
      )}
      <FileDrop label={media.length > 0 ? t`Add files` : t`Choose files`} onFiles={start}>
        <Library onPick={(picked) => change((items) => [...items, ...picked])} />
      </FileDrop>
      <Field
        label={t`Image, video or document URL`}
        type="url"
        value={mediaUrl}
        onChange={(url) => onChange(() => ({ mediaUrl: url }))}
        isRequired={media.length === 0 && !isOptional}
        placeholder="https://"
        hint={t`Instead of a file. Must be public. Fanfare fetches it when the post is published or scheduled.`}
      />
      {mediaUrl !== '' && (
        <Actions>
          <Segments
            label={t`Media type`}
            value={mediaTypeOf(draft)}
            options={[
              { value: 'image', label: t`Image` },
              { value: 'video', label: t`Video` },
              { value: 'document', label: t`Document` },
            ]}
            onChange={(mediaType) => onChange(() => ({ mediaType }))}
          />
          <Button small isDisabled={!URL.canParse(mediaUrl)} onPress={add}>
            <Trans>Add another</Trans>
          </Button>
        </Actions>
      )}
    </>
  )
}

function earlier(items: readonly Item[], item: Item): readonly Item[] {
  const at = items.findIndex(({ key }) => key === item.key)
  return at < 1 ? items : [...items.slice(0, at - 1), item, ...items.slice(at - 1, at), ...items.slice(at + 1)]
}

function TrayItem({
  item: { url, type, altText, file },
  place,
  onAltText,
  onEarlier,
  onRemove,
}: {
  readonly item: Item
  /** From 1; absent if it is the only one. */
  readonly place: number | undefined
  readonly onAltText: (text: string) => void
  readonly onEarlier: () => void
  readonly onRemove: () => void
}) {
  const name = file?.name ?? nameIn(url) ?? NAMES[type]
  const isSending = url === '' && file?.error === undefined
  return (
    <li className="tray-item">
      <Thumb key={url} url={file?.shownAt ?? url} copy={url} type={type} />
      <div className="item-body">
        <span className="upload-name">{name}</span>
        {file && <UploadProgress name={name} file={file} isSending={isSending} />}
      </div>
      <div className="tray-actions">
        {place !== undefined && place > 1 && (
          <Button small look="quiet" aria-label={t`Move item ${place} earlier`} onPress={onEarlier}>
            ↑
          </Button>
        )}
        <Button
          small
          aria-label={
            place === undefined
              ? isSending
                ? t`Cancel the upload`
                : t`Remove`
              : isSending
                ? t`Cancel the upload of item ${place}`
                : t`Remove item ${place}`
          }
          onPress={onRemove}
        >
          {isSending ? t`Cancel` : t`Remove`}
        </Button>
      </div>
      <div className="tray-text">
        {file?.error !== undefined ? (
          <span role="alert" className="field-error">
            {file.error}
          </span>
        ) : (
          type !== 'document' && (
            <Field
              label={place === undefined ? t`Alt text` : t`Alt text of item ${place}`}
              value={altText}
              onChange={onAltText}
              placeholder={t`What it shows, for people who cannot see it`}
            />
          )
        )}
      </div>
    </li>
  )
}

/** The name of a file that somebody has named: those of uploads are long random texts. */
function nameIn(url: string): string | undefined {
  const name = new URL(url).pathname.split('/').at(-1)
  return name && name.length <= LONGEST_NAME ? decodeURIComponent(name) : undefined
}
