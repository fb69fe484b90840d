import { Trans } from '@lingui/react/macro'
import type { ScheduledPost } from '../../client/types.ts'

/** Files that could not be copied, so that there is time to fix them. */
export function MissingMedia({ of }: { readonly of: ScheduledPost }) {
  const failed = of.status === 'pending' ? (of.pinnedMedia ?? []).filter(({ status }) => status === 'failed') : []
  return failed.map(({ url, error = '' }) => (
    <div key={url} className="problem" role="alert">
      <p>
        <Trans>
          Fanfare has no copy of <a href={url}>{nameOf(url)}</a>: {error.replace(/\.$/, '')}. It fetches the file when
          the post is published; until then you can edit the post to use another one.
        </Trans>
      </p>
    </div>
  ))
}

function nameOf(url: string): string {
  const { pathname, hostname } = new URL(url)
  return pathname.split('/').findLast((part) => part !== '') ?? hostname
}
