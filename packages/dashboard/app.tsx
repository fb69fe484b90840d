import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { Route, Routes } from 'react-router'
import { ApiError } from './client/api-error.ts'
import { createQueries } from './client/queries.ts'
import { sessionApi, type Session } from './client/session-api.ts'
import { keepCsrfToken, whenSignedOut } from './client/transport.ts'
import { Lost, PAGES } from './pages.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'
import { Loading, Problem } from './parts/shown.tsx'
import { Toasts } from './parts/toasts.tsx'

type State =
  | { readonly is: 'asking' }
  | { readonly is: 'out'; readonly hasExpired: boolean }
  | { readonly is: 'in'; readonly session: Session }
  | { readonly is: 'failed'; readonly error: Error }

/** Asks for the session, and shows either the sign-in or the dashboard. */
export function App() {
  const [queries] = useState(createQueries)
  const [state, setState] = useState<State>({ is: 'asking' })

  const enter = (session: Session) => {
    keepCsrfToken(session.csrfToken)
    setState({ is: 'in', session })
  }
  const ask = () =>
    sessionApi.session().then(enter, (error: Error) => {
      const isOut = error instanceof ApiError && error.status === 401
      setState(isOut ? { is: 'out', hasExpired: false } : { is: 'failed', error })
    })
  const leave = (hasExpired: boolean) => {
    queries.clear()
    setState((now) => (now.is === 'out' ? now : { is: 'out', hasExpired: hasExpired && now.is === 'in' }))
  }
  useEffect(() => {
    whenSignedOut(() => leave(true))
    void ask()
    // Once: rendering does not change who is signed in.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  return (
    <QueryClientProvider client={queries}>
      {state.is === 'asking' && <Loading lines={1} />}
      {state.is === 'failed' && <Problem error={state.error} onRetry={() => void ask()} />}
      {state.is === 'out' && <SignIn hasExpired={state.hasExpired} onSignedIn={enter} />}
      {state.is === 'in' && (
        <Shell session={state.session} onSignedOut={() => leave(false)}>
          <Suspense fallback={<Loading />}>
            <Routes>
              {PAGES.map(({ path, Content }) => (
                <Route key={path} path={path} element={<Content />} />
              ))}
              <Route path="*" element={<Lost />} />
            </Routes>
          </Suspense>
        </Shell>
      )}
      <Toasts />
    </QueryClientProvider>
  )
}
