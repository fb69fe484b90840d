import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Suspense, useSyncExternalStore } from 'react'
import { Link, Navigate, Route, Routes } from 'react-router'
import { useSession } from '../client/queries.ts'
import { Lost } from '../pages.ts'
import { Allowed } from '../parts/allowed.tsx'
import { NavGroup } from '../parts/nav.tsx'
import { Page } from '../parts/page.tsx'
import { Loading } from '../parts/shown.tsx'
import styles from '../styles/settings.page.css'
import { GROUPS, SECTIONS } from './settings/sections.ts'

/** As in `styles/settings.page.css`: there is room for the sections beside the one that is shown. */
const wide = window.matchMedia('(width > 64rem)')

function watchWidth(listener: () => void) {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

/** The sections of the settings: beside the one that is shown, or first a list of them where there is no room for both. */
export default function Settings() {
  const isWide = useSyncExternalStore(watchWidth, () => wide.matches)
  return (
    <Routes>
      <Route index element={isWide ? <Navigate replace to="general" /> : <List />} />
      {SECTIONS.map(({ path, needs, Content }) => (
        <Route key={path} path={path} element={<Shown needs={needs} Content={Content} />} />
      ))}
      <Route path="*" element={<Lost />} />
    </Routes>
  )
}

function List() {
  return (
    <Page title={t`Settings`} styles={styles}>
      <Sections />
    </Page>
  )
}

function Shown(section: Parameters<typeof Allowed>[0]) {
  return (
    <div className="settings">
      <link rel="stylesheet" href={styles} precedence="page" />
      <Sections />
      <div className="section">
        <Link className="back" to="/settings">
          <Trans>All settings</Trans>
        </Link>
        <Suspense fallback={<Loading />}>
          <Allowed {...section} />
        </Suspense>
      </div>
    </div>
  )
}

/** A group of which the user's role includes no section is not shown. */
function Sections() {
  const { permissions } = useSession()
  const shown = SECTIONS.filter(({ name, needs }) => name !== undefined && (!needs || permissions.includes(needs)))
  return (
    <nav aria-label={t`Settings`} className="sections">
      {Object.entries(GROUPS).map(([group, name]) => (
        <NavGroup
          key={group}
          name={name}
          entries={shown
            .filter((section) => section.group === group)
            .map((section) => ({ ...section, path: `/settings/${section.path}` }))}
        />
      ))}
    </nav>
  )
}
