import { lazy, type ComponentType } from 'react'
import { useSession } from '../client/queries.ts'

const NoAccess = lazy(() => import('../pages/no-access.tsx'))

/** A page, if the user's role includes it. */
export function Allowed({ needs, Content }: { readonly needs?: string | undefined; readonly Content: ComponentType }) {
  const { permissions } = useSession()
  return needs === undefined || permissions.includes(needs) ? <Content /> : <NoAccess />
}
