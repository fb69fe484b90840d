import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ApiError, type Detail } from '../../client/api-error.ts'
import { answered, api } from '../../client/client.ts'
import type { Preview } from '../../client/types.ts'
import { useSettled } from '../../parts/use-settled.ts'
import { bodyOf, canBeLookedAt, chainOf, isChain, type Draft } from './draft.ts'

/** How long (ms) the user must pause typing before the preview is requested. */
const SETTLES_MS = 300

export interface Checked {
  /** Whether there is anything to preview. */
  readonly canAsk: boolean
  /** What was previewed. */
  readonly draft: Draft
  readonly previews: readonly Preview[]
  /** Of all accounts, or of the request as a whole. */
  readonly problems: readonly Detail[]
  readonly error: Error | null
  readonly isFetching: boolean
}

/** What would be published to each account, and what would prevent it, according to the API. */
export function usePreview(draft: Draft): Checked {
  const settled = useSettled(draft, SETTLES_MS)
  const canAsk = canBeLookedAt(settled)
  const { data, error, isFetching } = useQuery({
    ...previewQuery(settled),
    enabled: canAsk,
    placeholderData: (before) => before,
  })
  return useMemo(() => {
    const previews = (canAsk && data) || []
    return {
      canAsk,
      draft: settled,
      previews,
      problems: [...(isInvalid(error) ? error.details : []), ...previews.flatMap(({ details }) => details)],
      error: canAsk ? error : null,
      isFetching,
    }
  }, [canAsk, settled, data, error, isFetching])
}

/** Whether what is written is no post yet, whatever the accounts. */
export function isInvalid(error: Error | null): error is ApiError {
  return error instanceof ApiError && error.code === 'invalid_request'
}

export function previewQuery(draft: Draft) {
  return queryOptions({
    queryKey: ['preview', askedOf(draft)],
    queryFn: async ({ signal }) => {
      const answer = isChain(draft)
        ? api.POST('/posts/chain/preview', { body: chainOf(draft), signal })
        : api.POST('/posts/preview', { body: bodyOf(draft), signal })
      return (await answered(answer)).previews
    },
  })
}

function askedOf(draft: Draft) {
  return isChain(draft) ? chainOf(draft) : { ...bodyOf(draft), parts: draft.parts }
}
