import { useChange, useSession, useUndo } from '../../client/queries.ts'
import { sessionApi } from '../../client/session-api.ts'
import { Loading, Problem } from '../../parts/shown.tsx'
import { UndoChoice } from '../../parts/undo-choice.tsx'

/** How long posts of the workspace can be taken back. */
export function Undo() {
  const undo = useUndo()
  const mayChange = useSession().permissions.includes('users:write')
  const save = useChange({
    change: (seconds: number) => sessionApi.setUndo({ seconds }),
    touches: ['undo'],
    done: 'Saved.',
  })
  if (undo.isPending) return <Loading lines={1} />
  if (undo.error) return <Problem error={undo.error} onRetry={() => void undo.refetch()} />
  const { seconds } = undo.data
  if (!mayChange) {
    return <p>{seconds === 0 ? 'Posts are published at once.' : `Posts can be taken back for ${seconds} seconds.`}</p>
  }
  return <UndoChoice value={save.isPending ? save.variables : seconds} onChange={(next) => save.mutate(next ?? 0)} />
}
