import { t } from '@lingui/core/macro'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useChange, useSession } from './client/queries.ts'
import { sessionApi } from './client/session-api.ts'
import { startOver } from './client/tabs.ts'
import { Button } from './parts/buttons.tsx'
import { ROLE_NAMES } from './parts/roles.ts'

/** A menu of the workspaces that the user is in. */
export default function Switcher() {
  const { workspace, workspaces } = useSession()
  const show = useChange({ change: sessionApi.showWorkspace, touches: [], onDone: startOver })
  return (
    <MenuTrigger>
      <Button look="quiet" aria-label={t`Workspace: ${workspace.name}. Switch`} isPending={show.isPending}>
        <span className="workspace">{workspace.name}</span>
        <span aria-hidden="true">▾</span>
      </Button>
      <Popover className="menu" placement="bottom start">
        <Menu
          aria-label={t`Workspaces`}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[workspace.id]}
          onAction={(id) => id !== workspace.id && show.mutate(String(id))}
        >
          {workspaces.map(({ id, name, role }) => (
            <MenuItem key={id} id={id} textValue={name}>
              <span className="workspace">{name}</span> <span className="muted">{ROLE_NAMES[role]}</span>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
