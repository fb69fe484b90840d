import { plural, t } from '@lingui/core/macro'
import { useAccounts, useSession } from '../../client/queries.ts'
import type { Selections } from '../../client/types.ts'
import { Actions, Button } from '../../parts/buttons.tsx'
import { keep, kept } from '../../parts/kept.ts'

const LAST = 'fanfare-last-accounts'

/** Chooses the accounts of the post that was last sent from this browser, or all. Each is absent if there are none. */
export function ManyAccounts({ onChoose }: { readonly onChoose: (selections: Selections) => void }) {
  const { workspace } = useSession()
  const { data: accounts = {} } = useAccounts()
  const last = (kept(`${LAST}-${workspace.id}`) ?? '').split(' ')
  const those = (isMeant: (id: string) => boolean): Selections =>
    Object.fromEntries(
      Object.entries(accounts)
        .map(([platform, list]) => [platform, list.map(({ id }) => id).filter(isMeant)] as const)
        .filter(([, ids]) => ids.length > 0),
    )
  const [again, all] = [those((id) => last.includes(id)), those(() => true)]
  const [count, total] = [sizeOf(again), sizeOf(all)]
  if (count === 0 && total < 2) return null
  return (
    <Actions>
      {count > 0 && (
        <Button small onPress={() => onChoose(again)}>
          {plural(count, { one: 'Same account as last time', other: 'Same # accounts as last time' })}
        </Button>
      )}
      {total > 1 && <Button small onPress={() => onChoose(all)}>{t`All ${total} accounts`}</Button>}
    </Actions>
  )
}

function sizeOf(selections: Selections): number {
  return Object.values(selections).flat().length
}

export function keepAccounts(workspaceId: string, selections: Selections): void {
  keep(`${LAST}-${workspaceId}`, Object.values(selections).flat().join(' '))
}
