import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../../client/client.ts'
import type { SummaryQuery } from '../../client/types.ts'
import { OWN_ZONE } from '../../parts/time.ts'

/** The posts that are asked about, and until when. */
export type Asked = SummaryQuery

/** While another period loads, the one before stays. */
const kept = <T>(before: T) => before

export function useSummary(query: Asked) {
  return useQuery({
    queryKey: ['analytics', 'summary', query],
    queryFn: () => answered(api.GET('/analytics/summary', { params: { query } })),
    placeholderData: kept,
  })
}

export function useDaily(query: Asked, timezone: string) {
  return useQuery({
    queryKey: ['analytics', 'daily', query, timezone],
    queryFn: () => answered(api.GET('/analytics/daily', { params: { query: { ...query, timezone } } })),
    placeholderData: kept,
  })
}

export function useHours(query: Asked, timezone: string, enabled = true) {
  return useQuery({
    queryKey: ['analytics', 'hours', query, timezone],
    queryFn: () => answered(api.GET('/analytics/hours', { params: { query: { ...query, timezone } } })),
    enabled,
    placeholderData: kept,
  })
}

/** The zone of the workspace's slots or, until there are any, of the user; undefined until it is known. */
export function useWorkspaceZone(): string | undefined {
  const plan = useQuery({ queryKey: ['slots', 'zone'], queryFn: () => answered(api.GET('/slots')) })
  if (plan.isPending) return undefined
  const { timezone = OWN_ZONE, default: times = [], platforms = {} } = plan.data ?? {}
  return times.length === 0 && Object.keys(platforms).length === 0 ? OWN_ZONE : timezone
}
