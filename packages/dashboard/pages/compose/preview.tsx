import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../../client/client.ts'
import { smallImage } from '../../client/session-api.ts'
import { AccountName, PlatformName } from '../../parts/accounts.tsx'
import { Card, Loading, Problem, Status, Thumb } from '../../parts/shown.tsx'
import { useSettled } from '../../parts/use-settled.ts'
import { bodyOf, canBeLookedAt, chainOf, isChain, type Draft } from './draft.ts'

/** How long (ms) the user must pause typing before the preview is requested. */
const SETTLES_MS = 500

/** What would be published to each account, and what would prevent it, according to the API. */
export function Preview({ draft }: { readonly draft: Draft }) {
  const settled = useSettled(draft, SETTLES_MS)
  const canAsk = canBeLookedAt(settled)
  const body = bodyOf(settled)
  const preview = useQuery({
    queryKey: ['preview', body, settled.parts],
    queryFn: async ({ signal }) => {
      const asked = isChain(settled)
        ? api.POST('/posts/chain/preview', { body: chainOf(settled), signal })
        : api.POST('/posts/preview', { body, signal })
      return (await answered(asked)).previews
    },
    enabled: canAsk,
    placeholderData: (before) => before,
  })
  return (
    <Card title="Preview">
      {!canAsk && <p className="muted">Write a caption or add media, and choose accounts, to see a preview.</p>}
      {canAsk && preview.isPending && <Loading lines={3} />}
      {canAsk && preview.error && <Problem error={preview.error} />}
      {canAsk && (
        <ul className="previews" aria-live="polite" aria-busy={preview.isFetching}>
          {preview.data?.map(
            ({ platform, accountId, caption, options, media, changes, token, problems, warnings, cost }) => (
              <li key={accountId ?? platform} className="preview">
                <div className="item-line">
                  <PlatformName of={platform} />
                  <span className="muted">
                    <AccountName of={accountId} />
                  </span>
                  {token && token.status !== 'ready' && <Status of={token.status} />}
                  <span className={problems.length > 0 ? 'status bad' : 'status good'}>
                    {problems.length > 0 ? 'would fail' : 'ready'}
                  </span>
                </div>
                <div className="preview-body">
                  {body.media?.map(({ url, type }) =>
                    type === 'image' && changes ? (
                      <AsSent key={url} url={smallImage(url, platform, options)} />
                    ) : (
                      <Thumb key={url} url={url} type={type} />
                    ),
                  )}
                  <div className="item-body">
                    <p className="text">{caption || <span className="muted">No caption</span>}</p>
                    <p className="hint">
                      {[...caption].length} characters{media ? `, ${factsOf(media)}` : ''}
                      {cost ? `, costs $${cost.usd}` : ''}
                    </p>
                    {changes?.map((sentence) => (
                      <p key={sentence} className="hint">
                        {sentence}
                      </p>
                    ))}
                  </div>
                </div>
                {problems.length + warnings.length > 0 && (
                  <ul className="warnings">
                    {[...problems, ...warnings].map((sentence) => (
                      <li key={sentence}>{sentence}</li>
                    ))}
                  </ul>
                )}
              </li>
            ),
          )}
        </ul>
      )}
    </Card>
  )
}

/** An image with the margins, or without the edges, that it is sent with. */
function AsSent({ url }: { readonly url: string }) {
  return (
    <a href={url} target="_blank" rel="noreferrer" className="thumb as-sent" aria-label="The image as it is sent">
      <img src={url} alt="" onError={({ currentTarget }) => (currentTarget.hidden = true)} />
    </a>
  )
}

function factsOf(media: {
  mimeType: string
  bytes: number
  width?: number
  height?: number
  durationMs?: number
  pages?: number
}): string {
  const { mimeType, bytes, width, height, durationMs, pages } = media
  return [
    mimeType,
    ...(width && height ? [`${width} × ${height}`] : []),
    ...(durationMs ? [`${(durationMs / 1000).toFixed(1)} s`] : []),
    ...(pages ? [`${pages} ${pages === 1 ? 'page' : 'pages'}`] : []),
    bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`,
  ].join(', ')
}
