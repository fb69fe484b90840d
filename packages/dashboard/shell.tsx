import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useLive } from './client/live.ts'
import { useSession } from './client/queries.ts'
import { sessionApi } from './client/session-api.ts'
import { useOneWorkspace } from './client/tabs.ts'
import { GROUPS, PAGES, type PageEntry } from './pages.ts'
import { Button } from './parts/buttons.tsx'
import { NavGroup } from './parts/nav.tsx'
import { ROLE_NAMES } from './parts/roles.ts'
import { toast } from './parts/toasts.tsx'

/** Few users are in several workspaces, and the first page loads faster without menus. */
const Switcher = lazy(() => import('./switcher.tsx'))

/** The workspace that is shown, and a menu if the user is in others. */
function Workspace() {
  const { workspace, workspaces } = useSession()
  const name = <span className="workspace">{workspace.name}</span>
  if (workspaces.length < 2) return name
  return (
    <Suspense fallback={name}>
      <Switcher />
    </Suspense>
  )
}

/** The frame of every page: the skip link, the navigation, and the signed-in user. */
export function Shell(props: { readonly onSignedOut: () => void; readonly children: ReactNode }) {
  const { onSignedOut, children } = props
  const { user, workspace } = useSession()
  useOneWorkspace(workspace.id)
  const isLive = useLive(useQueryClient())
  const [isMenuOpen, setMenuOpen] = useState(false)

  const close = () => setMenuOpen(false)
  const signOut = () =>
    sessionApi.signOut().then(onSignedOut, (error: Error) => toast({ text: error.message, tone: 'bad' }))

  return (
    <div className="shell">
      <a className="skip" href="#content">
        <Trans>Skip to content</Trans>
      </a>
      <header className="bar">
        <Button
          look="quiet"
          aria-label={isMenuOpen ? t`Close the menu` : t`Open the menu`}
          aria-expanded={isMenuOpen}
          onPress={() => setMenuOpen(!isMenuOpen)}
        >
          ☰
        </Button>
        <span className="brand">Fanfare</span>
        <Workspace />
      </header>
      <aside aria-label={t`Menu`} className={isMenuOpen ? 'side open' : 'side'}>
        <div className="brand">
          <img src="/icon.svg" alt="" width="24" height="24" /> Fanfare
        </div>
        <div className="switcher">
          <Workspace />
        </div>
        <nav aria-label={t`Pages`}>
          <Entries of={undefined} onFollow={close} />
          {Object.keys(GROUPS).map((group) => (
            <Entries key={group} of={group as keyof typeof GROUPS} onFollow={close} />
          ))}
        </nav>
        <footer className="who">
          <span className={isLive ? 'live on' : 'live'} role="status">
            {isLive ? t`Live` : t`Reconnecting…`}
          </span>
          <span className="who-name">
            <Trans>
              <strong>{user.name}</strong>, {ROLE_NAMES[user.role]} in {workspace.name}
            </Trans>
          </span>
          <div className="actions">
            <Button look="quiet" small onPress={() => void signOut()}>
              <Trans>Sign out</Trans>
            </Button>
          </div>
        </footer>
      </aside>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

function Entries({ of, onFollow }: { readonly of: PageEntry['group']; readonly onFollow: () => void }) {
  const { permissions } = useSession()
  const entries = PAGES.filter(
    ({ name, group, needs }) => name !== undefined && group === of && (!needs || permissions.includes(needs)),
  )
  return <NavGroup name={of && GROUPS[of]} entries={entries} onFollow={onFollow} />
}
