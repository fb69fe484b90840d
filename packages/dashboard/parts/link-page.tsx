import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import type { Kind } from '../client/queries.ts'
import { ButtonLink } from './buttons.tsx'
import { Loading, Problem } from './shown.tsx'

/** The page of a link that works without a session: shows what it is for, or why it does not work. */
export function LinkPage<Found>(props: {
  /** While it is not known what the link is for. */
  readonly title: string
  readonly titleOf: (found: Found) => string
  readonly queryKey: readonly [Kind, ...unknown[]]
  readonly look: () => Promise<Found>
  /** Absent: it is for people without an account. */
  readonly isSignedIn?: boolean
  readonly isWide?: boolean
  readonly children: (found: Found) => ReactNode
}) {
  const { title, titleOf, queryKey, look, isSignedIn, isWide = false, children } = props
  const { data, error } = useQuery({ queryKey, queryFn: look, staleTime: Infinity })
  const windowTitle = data === undefined ? title : titleOf(data)
  useEffect(() => {
    document.title = `${windowTitle} · Fanfare`
  }, [windowTitle])
  return (
    <main className={isWide ? 'sign-in wide' : 'sign-in'}>
      <div className="card">
        <img src="/icon.svg" alt="" width="40" height="40" />
        {data === undefined ? (
          <>
            <h1>{title}</h1>
            {error ? <Problem error={error} /> : <Loading lines={1} />}
            {error && isSignedIn !== undefined && (
              <ButtonLink to="/">{isSignedIn ? t`Go to Home` : t`Sign in`}</ButtonLink>
            )}
          </>
        ) : (
          children(data)
        )}
      </div>
    </main>
  )
}
