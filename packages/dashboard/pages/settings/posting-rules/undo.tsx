import { plural, t } from '@lingui/core/macro'
import { useChange, useSession, useUndo } from '../../../client/queries.ts'
import { sessionApi } from '../../../client/session-api.ts'
import { Loading, Problem } from '../../../parts/shown.tsx'
import { UndoChoice } from '../../../parts/undo-choice.tsx'

/** How long posts of the workspace can be taken back. */
export function Undo() {
  const undo = useUndo()
  const mayChange = useSession().permissions.includes('users:write')
  const save = useChange({
    change: (seconds: number) => sessionApi.setUndo({ seconds }),
    touches: ['undo'],
    done: t`Saved.`,
  })
  if (undo.isPending) return <Loading lines={1} />
  if (undo.error) return <Problem error={undo.error} onRetry={() => void undo.refetch()} />
  const { seconds } = undo.data
  if (!mayChange) {
    return (
      <p>
        {seconds === 0
          ? t`Posts are published at once.`
          : plural(seconds, {
              one: 'Posts can be taken back for # second.',
              other: 'Posts can be taken back for # seconds.',
            })}
      </p>
    )
  }
  return <UndoChoice value={save.isPending ? save.variables : seconds} onChange={(next) => save.mutate(next ?? 0)} />
}
