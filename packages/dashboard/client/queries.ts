import {
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { toast, type Note } from '../parts/toasts.tsx'
import { ApiError } from './api-error.ts'
import { answered, api } from './client.ts'
import { sessionApi, type Session } from './session-api.ts'
import type { Page } from './types.ts'

/** Items per request; "Show more" loads the rest. */
export const PAGE_SIZE = 25
/** How long (ms) data is reused without a request; `live.ts` reloads changed data anyway. */
const FRESH_MS = 30_000
const ATTEMPTS = 2

/** Kinds of resources, as the live events name them; the first part of every query's key. */
export type Kind =
  | 'account'
  | 'post'
  | 'scheduled-post'
  | 'draft'
  | 'media'
  | 'reply'
  | 'comment'
  | 'video'
  | 'credits'
  | 'webhook'
  | 'delivery'
  | 'channel'
  | 'erasure'
  | 'feed'
  | 'rule'
  | 'analytics'
  | 'key'
  | 'user'
  | 'invitation'
  | 'session'
  | 'platform'
  | 'due-work'
  | 'workspace'
  | 'slots'
  | 'approval-policy'
  | 'undo'
  | 'voice'
  | 'activity'

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // A refusal would only be repeated; retry only when there was no response.
        retry: (failures, error) => failures < ATTEMPTS && error instanceof ApiError && error.status === 0,
      },
    },
  })
}

/** A list that is read page by page. */
export function useList<T extends Page>(
  key: readonly [Kind, ...unknown[]],
  readPage: (cursor: string | undefined) => Promise<T>,
  enabled = true,
) {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => readPage(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: T) => last.nextCursor ?? undefined,
    enabled,
  })
}

/** The query of a list's page after a cursor. */
export function pageAfter(cursor: string | undefined, limit = PAGE_SIZE) {
  return cursor === undefined ? { limit } : { limit, cursor }
}

/** A mutation: reloads the kinds it touches, and shows an error as a toast unless the page shows it itself. */
export function useChange<Input, Result>(options: {
  readonly change: (input: Input) => Promise<Result>
  readonly touches: readonly Kind[]
  readonly done?: string | ((result: Result, input: Input) => string | Note)
  readonly onDone?: (result: Result, input: Input) => void
  readonly showsProblem?: boolean | ((error: Error, input: Input) => boolean)
}) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: options.change,
    onSuccess: (result, input) => {
      const { done } = options
      if (done !== undefined) {
        const note = typeof done === 'string' ? done : done(result, input)
        toast(typeof note === 'string' ? { text: note } : note)
      }
      options.onDone?.(result, input)
    },
    onError: (error, input) => {
      const { showsProblem = false } = options
      const isShown = typeof showsProblem === 'boolean' ? showsProblem : showsProblem(error, input)
      if (!isShown) toast({ text: error.message, tone: 'bad', requestId: requestIdOf(error) })
    },
    onSettled: () => Promise.all(options.touches.map((kind) => client.invalidateQueries({ queryKey: [kind] }))),
  })
}

export function requestIdOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.requestId : undefined
}

/** Who is signed in, which signing in has set. Read again after a change of users, because roles change. */
export function useSession(): Session {
  return useSuspenseQuery({ queryKey: ['session'], queryFn: sessionApi.session, staleTime: Infinity }).data
}

export function useAccounts() {
  return useQuery({
    queryKey: ['account'],
    queryFn: async () => (await answered(api.GET('/accounts'))).accounts,
  })
}

export function useDueWork() {
  return useQuery({ queryKey: ['due-work'], queryFn: sessionApi.dueWork })
}

/** What the accounts' owners have granted, and until when. */
export function useAccountAccess() {
  return useQuery({
    queryKey: ['account', 'access'],
    queryFn: async () => (await sessionApi.accountAccess()).accounts,
  })
}

/** How long posts can be taken back. */
export function useUndo() {
  return useQuery({ queryKey: ['undo'], queryFn: sessionApi.undo })
}

/** How texts of the workspace are to be written. */
export function useVoice() {
  return useQuery({ queryKey: ['voice'], queryFn: () => answered(api.GET('/voice')) })
}

/** Whose posts need approval. */
export function useApprovalPolicy() {
  return useQuery({ queryKey: ['approval-policy'], queryFn: () => answered(api.GET('/approval-policy')) })
}

/** Where posts of an account can go. */
export function useDestinations(id: string) {
  return useQuery({
    queryKey: ['account', id, 'destinations'],
    queryFn: async ({ signal }) =>
      (await answered(api.GET('/accounts/{id}/destinations', { params: { path: { id } }, signal }))).destinations,
    staleTime: 60_000,
  })
}

/** Each platform's name and requirements. */
export function usePlatforms() {
  return useQuery({
    queryKey: ['platform'],
    queryFn: async () => (await sessionApi.platforms()).platforms,
    staleTime: Infinity,
  })
}
