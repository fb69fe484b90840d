import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { NavLink } from 'react-router'
import { useLive } from './client/live.ts'
import { useSession } from './client/queries.ts'
import { sessionApi } from './client/session-api.ts'
import { useOneWorkspace } from './client/tabs.ts'
import { PAGES, type PageEntry } from './pages.ts'
import { Button } from './parts/buttons.tsx'
import { Choice } from './parts/fields.tsx'
import { chosenTheme, keepTheme, THEMES, type Theme } from './parts/theme.ts'
import { toast } from './parts/toasts.tsx'

const THEME_NAMES: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' }

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
  const session = useSession()
  useOneWorkspace(session.workspace.id)
  const isLive = useLive(useQueryClient())
  const [isMenuOpen, setMenuOpen] = useState(false)

  const close = () => setMenuOpen(false)
  const signOut = () =>
    sessionApi.signOut().then(onSignedOut, (error: Error) => toast({ text: error.message, tone: 'bad' }))

  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="bar">
        <Button
          look="quiet"
          aria-label={isMenuOpen ? 'Close the menu' : 'Open the menu'}
          aria-expanded={isMenuOpen}
          onPress={() => setMenuOpen(!isMenuOpen)}
        >
          ☰
        </Button>
        <span className="brand">Fanfare</span>
        <Workspace />
      </header>
      <aside aria-label="Menu" className={isMenuOpen ? 'side open' : 'side'}>
        <div className="brand">
          <img src="/icon.svg" alt="" width="24" height="24" /> Fanfare
        </div>
        <div className="switcher">
          <Workspace />
        </div>
        <nav aria-label="Pages">
          <Entries of={undefined} onFollow={close} />
          {(['Publish', 'Engage', 'Insights', 'Set up'] as const).map((group) => (
            <Entries key={group} of={group} onFollow={close} />
          ))}
        </nav>
        <footer className="who">
          <span className={isLive ? 'live on' : 'live'} role="status">
            {isLive ? 'Live' : 'Reconnecting…'}
          </span>
          <span className="who-name">
            <strong>{session.user.name}</strong>, {session.user.role} in {session.workspace.name}
          </span>
          <Theming />
          <div className="actions">
            <Button look="quiet" small onPress={() => void signOut()}>
              Sign out
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
  return (
    <>
      {of && (
        <h2 id={`group-${of}`} className="nav-group">
          {of}
        </h2>
      )}
      <ul aria-labelledby={of && `group-${of}`}>
        {entries.map(({ path, name }) => (
          <li key={path}>
            <NavLink to={path} end={path === '/'} onClick={onFollow}>
              {name}
            </NavLink>
          </li>
        ))}
      </ul>
    </>
  )
}

function Theming() {
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <Choice
      label="Theme"
      isLabelHidden
      value={theme}
      options={THEMES.map((value) => ({ value, label: THEME_NAMES[value] }))}
      onChange={(value) => {
        setTheme(value as Theme)
        keepTheme(value as Theme)
      }}
    />
  )
}
