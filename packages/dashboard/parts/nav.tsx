import { useId } from 'react'
import { NavLink } from 'react-router'

/** A part of a navigation: its heading, if it has one, and its links. */
export function NavGroup(props: {
  readonly name: string | undefined
  readonly entries: readonly { readonly path: string; readonly name?: string }[]
  readonly onFollow?: () => void
}) {
  const { name, entries, onFollow } = props
  const id = useId()
  if (entries.length === 0) return null
  return (
    <>
      {name && (
        <h2 id={id} className="nav-group">
          {name}
        </h2>
      )}
      <ul aria-labelledby={name && id}>
        {entries.map(({ path, name }) => (
          <li key={path}>
            <NavLink to={path.replace('/*', '')} end={path === '/'} onClick={onFollow}>
              {name}
            </NavLink>
          </li>
        ))}
      </ul>
    </>
  )
}
