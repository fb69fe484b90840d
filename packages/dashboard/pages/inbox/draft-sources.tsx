import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answered, api } from '../../client/client.ts'
import type { Reply } from '../../client/types.ts'
import { Loading, Problem } from '../../parts/shown.tsx'

const MOST_EVENTS = 100

/** What a draft was made from: who wrote it, and what the AI was given. */
export function DraftSources({ id, source }: { readonly id: string; readonly source: Reply['source'] }) {
  const [isOpen, setOpen] = useState(false)
  const history = useQuery({
    queryKey: ['reply', id, 'events'],
    queryFn: () =>
      answered(api.GET('/replies/pending/{id}/events', { params: { path: { id }, query: { limit: MOST_EVENTS } } })),
    enabled: isOpen,
  })
  const newest = history.data?.events.findLast(({ type }) => type === 'DraftWritten' || type === 'DraftEdited')
  const isByAi = newest?.type === 'DraftWritten'
  const model = String(newest?.data['model'])
  const byAi =
    source === 'automation'
      ? t`Written by ${model}, by the automation of the account.`
      : t`Written by ${model}, on request.`
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="hint">
        <Trans>Where this draft comes from</Trans>
      </summary>
      {isOpen && history.isPending && <Loading lines={1} />}
      {history.error && <Problem error={history.error} />}
      {history.data && (
        <div className="sources">
          <p>{isByAi ? byAi : t`Written by a person or a program.`}</p>
          {isByAi && (
            <>
              <p>
                <Trans>What the AI was given:</Trans>
              </p>
              <pre>{String(newest.data['prompt'])}</pre>
            </>
          )}
        </div>
      )}
    </details>
  )
}
