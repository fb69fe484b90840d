import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, startTransition, Suspense, useEffect, useState } from 'react'
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router'
import { ApiError } from './client/api-error.ts'
import { createQueries } from './client/queries.ts'
import { needsCode, sessionApi, type CodeRequired, type Credentials, type Session } from './client/session-api.ts'
import { keepCsrfToken, whenForbidden, whenSignedOut } from './client/transport.ts'
import { Forgotten } from './forgotten.tsx'
import { Join } from './join.tsx'
import { Lost, MOVED, PAGES } from './pages.ts'
import { Reset } from './reset.tsx'
import { SecondStep } from './second-step.tsx'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'
import { Allowed } from './parts/allowed.tsx'
import { Loading, Problem } from './parts/shown.tsx'
import { Toasts } from './parts/toasts.tsx'

/** For guests; it has dialogs, which the first page has not. */
const Review = lazy(async () => ({ default: (await import('./review.tsx')).Review }))
/** For those whom an app has sent. */
const Consent = lazy(async () => ({ default: (await import('./consent.tsx')).Consent }))
const CONSENT = '/authorize/'

type State =
  | { readonly is: 'asking' }
  | { readonly is: 'out'; readonly hasExpired: boolean }
  | { readonly is: 'in' }
  | { readonly is: 'failed'; readonly error: Error }

/** Asks for the session, and shows the sign-in, the dashboard, or the page of a link. */
export function App() {
  const [queries] = useState(createQueries)
  const [state, setState] = useState<State>({ is: 'asking' })
  /** Whose password was right, and who has to enter a code. */
  const [halfway, setHalfway] = useState<Credentials & { readonly stays: boolean }>()
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()

  const enter = (session: Session) => {
    keepCsrfToken(session.csrfToken)
    queries.setQueryData(['session'], session)
    setState({ is: 'in' })
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
  const isLink = ['/join', '/reset', '/review'].includes(pathname)
  /** @param stays on the page of a link, which then asks again */
  const arrive = (answer: Session | CodeRequired, by: Credentials, stays = false) => {
    if (needsCode(answer)) return setHalfway({ ...by, stays })
    // At once with the navigation, which is a transition: the link's page does not show its new user as signed in already.
    startTransition(() => {
      setHalfway(undefined)
      enter(answer)
    })
    if (isLink && !stays) void navigate('/', { replace: true })
  }
  useEffect(() => {
    whenSignedOut(() => leave(true))
    whenForbidden(() => void queries.invalidateQueries({ queryKey: ['session'] }))
    void ask()
    // Once: rendering does not change who is signed in.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  const link = { token: hash.slice(1), isSignedIn: state.is === 'in' }
  if (halfway) {
    const { stays, ...credentials } = halfway
    return (
      <SecondStep
        credentials={credentials}
        onSignedIn={(answer, by) => arrive(answer, by, stays)}
        onBack={() => setHalfway(undefined)}
      />
    )
  }
  if (isLink) {
    return (
      <QueryClientProvider client={queries}>
        {pathname === '/join' && (
          <Join key={hash} {...link} onJoined={arrive} onSignedIn={(answer, by) => arrive(answer, by, true)} />
        )}
        {pathname === '/reset' && <Reset key={hash} {...link} onDone={arrive} />}
        {pathname === '/review' && (
          <Suspense fallback={<Loading />}>
            <Review key={hash} token={link.token} />
          </Suspense>
        )}
      </QueryClientProvider>
    )
  }
  return (
    <QueryClientProvider client={queries}>
      {state.is === 'asking' && <Loading lines={1} />}
      {state.is === 'failed' && <Problem error={state.error} onRetry={() => void ask()} />}
      {state.is === 'out' &&
        (pathname === '/forgotten' ? <Forgotten /> : <SignIn hasExpired={state.hasExpired} onSignedIn={arrive} />)}
      {state.is === 'in' && pathname.startsWith(CONSENT) && (
        <Suspense fallback={<Loading />}>
          <Consent id={pathname.slice(CONSENT.length)} />
        </Suspense>
      )}
      {state.is === 'in' && !pathname.startsWith(CONSENT) && (
        <Shell onSignedOut={() => leave(false)}>
          <Suspense fallback={<Loading />}>
            <Routes>
              {PAGES.map(({ path, needs, Content }) => (
                <Route key={path} path={path} element={<Allowed needs={needs} Content={Content} />} />
              ))}
              {Object.entries(MOVED).map(([from, to]) => (
                <Route key={from} path={`${from}/*`} element={<Moved from={from} to={`/settings/${to}`} />} />
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

/** Leads on to where a page is now, with all that stands after its path. */
function Moved({ from, to }: { readonly from: string; readonly to: string }) {
  const { pathname, search, hash } = useLocation()
  return <Navigate replace to={{ pathname: to + pathname.slice(from.length), search, hash }} />
}
