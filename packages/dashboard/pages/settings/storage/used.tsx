import { Plural, Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { workspaceApi } from '../../../client/workspace-api.ts'
import { sizeOf } from '../../../parts/files.tsx'
import { Loading, Problem } from '../../../parts/shown.tsx'

/** What the media of the workspace take up, of how much. */
export function Used() {
  // By the kind `media`, so that it follows each upload.
  const storage = useQuery({ queryKey: ['media', 'storage'], queryFn: workspaceApi.storage })
  if (storage.isPending) return <Loading lines={2} />
  if (storage.error) return <Problem error={storage.error} onRetry={() => void storage.refetch()} />
  const { files, bytes, maxBytes } = storage.data
  return (
    <div className="stack narrow">
      <p>
        <Trans>
          {{ used: sizeOf(bytes) }} of {{ limit: sizeOf(maxBytes) }}
        </Trans>
        {' · '}
        <Plural value={files} one="# file" other="# files" />
      </p>
      <progress value={bytes} max={maxBytes} aria-label={t`Storage in use`} />
      <p className="hint">
        <Trans>
          Uploads, videos and copies of media for scheduled posts. When the limit is reached, the oldest files that no
          post needs are deleted, except those you keep in the <Link to="/library">media library</Link>. The limit is
          set on the server (<code>MEDIA_STORE_MAX</code>).
        </Trans>
      </p>
    </div>
  )
}
