import { useLocation } from 'react-router'

/** The state of a link to a form that returns to this page once it is sent. */
export function useBack(): { readonly back: string } {
  const { pathname, search } = useLocation()
  return { back: `${pathname}${search}` }
}

/** Where a form returns to. */
export function useReturn(otherwise: string): string {
  const { state } = useLocation() as { readonly state: { readonly back?: string } | null }
  return state?.back ?? otherwise
}
