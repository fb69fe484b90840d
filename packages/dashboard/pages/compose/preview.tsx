import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { memo } from 'react'
import { AccountName, PlatformName } from '../../parts/accounts.tsx'
import { sizeOf } from '../../parts/files.tsx'
import { PlatformIcon } from '../../parts/platform-icon.tsx'
import { Card, Loading, Problem, Status } from '../../parts/shown.tsx'
import { mediaOf } from './draft.ts'
import { NetworkPost } from './network-post.tsx'
import type { Checked } from './use-preview.ts'

/** The post as each network would show it, and what would prevent that. Typing does not render it. */
export const Previews = memo(function Previews({
  of: { canAsk, draft, previews, error, isFetching },
}: {
  readonly of: Checked
}) {
  const later = draft.parts.map(({ media = [] }) => media)
  return (
    <Card title={t`Preview`}>
      {!canAsk && (
        <p className="muted">
          <Trans>Write a caption or add media, and choose accounts, to see a preview.</Trans>
        </p>
      )}
      {canAsk && !error && previews.length === 0 && <Loading lines={3} />}
      {error && <Problem error={error} />}
      <ul className="previews" aria-busy={isFetching}>
        {previews.map((preview) => {
          const { platform, accountId, caption, parts = [], media, changes, token, problems, warnings, cost } = preview
          const shown = [caption, ...parts.map(({ text }) => text)].map((text, index) => ({
            text,
            items: index === 0 ? mediaOf(draft) : (later[index - 1] ?? []),
          }))
          const facts = [...(media ? [factsOf(media)] : []), ...(cost ? [t`costs $${cost.usd}`] : [])].join(', ')
          return (
            <li key={accountId ?? platform} className="preview">
              <div className="item-line">
                <PlatformIcon of={platform} isNamed />
                <PlatformName of={platform} />
                <span className="muted">
                  <AccountName of={accountId} />
                </span>
                {token && token.status !== 'ready' && <Status of={token.status} />}
                <span className={problems.length > 0 ? 'status bad' : 'status good'}>
                  {problems.length > 0 ? t`would fail` : t`ready`}
                </span>
              </div>
              <NetworkPost preview={preview} parts={shown} />
              {[...(facts ? [facts] : []), ...(changes ?? [])].map((sentence) => (
                <p key={sentence} className="hint">
                  {sentence}
                </p>
              ))}
              {problems.length + warnings.length > 0 && (
                <ul className="warnings">
                  {[...problems, ...warnings].map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
})

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
    ...(durationMs ? [t`${(durationMs / 1000).toFixed(1)} s`] : []),
    ...(pages ? [plural(pages, { one: '# page', other: '# pages' })] : []),
    sizeOf(bytes),
  ].join(', ')
}
