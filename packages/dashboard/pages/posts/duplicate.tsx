import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from 'react-router'
import { answered, api, attemptName, named } from '../../client/client.ts'
import { useChange, useSession } from '../../client/queries.ts'
import { Button } from '../../parts/buttons.tsx'

/** Makes a draft of a post, and opens it. */
export function Duplicate({
  post: { id, caption },
}: {
  readonly post: { readonly id: string; readonly caption: string }
}) {
  const mayWrite = useSession().permissions.includes('posts:write')
  const duplicate = useDuplicate()
  if (!mayWrite) return null
  return (
    <Button
      small
      aria-label={caption ? t`Duplicate ${caption}` : t`Duplicate the post`}
      isPending={duplicate.isPending}
      onPress={() => duplicate.mutate({ id })}
    >
      <Trans>Duplicate</Trans>
    </Button>
  )
}

/** Opens a draft of a post: for all of its accounts, or for those on which it failed. */
export function useDuplicate() {
  const navigate = useNavigate()
  return useChange({
    change: ({ id, accounts }: { readonly id: string; readonly accounts?: 'failed' }) =>
      answered(
        api.POST('/posts/{id}/duplicate', {
          params: { path: { id }, ...named(attemptName()) },
          body: { asDraft: true, ...(accounts && { accounts }) },
        }),
      ),
    touches: ['draft'],
    onDone: ({ id }) => void navigate(`/compose?draft=${id}`),
  })
}
