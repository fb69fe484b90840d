import { plural } from '@lingui/core/macro'
import { useAccounts, useSession } from '../../client/queries.ts'
import type { Selections } from '../../client/types.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { keep, kept } from '../../parts/kept.ts'

const LAST = 'fanfare-last-accounts'

/** Chooses the accounts of the post that was last sent from this browser. Absent if there are none. */
export function LastAccounts({ onChoose }: { readonly onChoose: (selections: Selections) => void }) {
  const { workspace } = useSession()
  const { data: accounts = {} } = useAccounts()
  const last = (kept(`${LAST}-${workspace.id}`) ?? '').split(' ')
  const chosen = Object.entries(accounts)
    .map(([platform, list]) => [platform, list.map(({ id }) => id).filter((id) => last.includes(id))] as const)
    .filter(([, ids]) => ids.length > 0)
  const count = chosen.flatMap(([, ids]) => ids).length
  if (count === 0) return null
  return (
    <Actions>
      <Button small onPress={() => onChoose(Object.fromEntries(chosen))}>
        {plural(count, { one: 'Same account as last time', other: 'Same # accounts as last time' })}
      </Button>
    </Actions>
  )
}

export function keepAccounts(workspaceId: string, selections: Selections): void {
  keep(`${LAST}-${workspaceId}`, Object.values(selections).flat().join(' '))
}
