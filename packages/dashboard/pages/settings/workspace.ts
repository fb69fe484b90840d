import { useQuery } from '@tanstack/react-query'
import { workspaceApi } from '../../client/workspace-api.ts'

/** The workspace that is shown, with its time zone. */
export function useWorkspace() {
  return useQuery({ queryKey: ['workspace'], queryFn: workspaceApi.workspace })
}
