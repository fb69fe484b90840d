import * as z from 'zod'
import { plainId } from '../kit/plain-id.ts'
import { PlatformError } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import type { GraphApi } from './api.ts'
import type { GraphCalls, Session } from './graph.ts'
import { listOf } from './list.ts'

/*
 * The person who logs in with Facebook, and the Pages that they run. Each function takes the API of the platform that asks, whose
 * errors and version apply.
 */

type Api = Pick<GraphCalls, 'graph'>

const person = z.object({ id: plainId })

/** The app-scoped ID of the person, by which Meta reports that they have removed the app. @throws PlatformError */
export async function personId({ graph }: Api, session: Session, io: RestIo): Promise<string> {
  return (await graph(session, { method: 'GET', path: '/me', query: { fields: 'id' } }, person, io)).id
}

const tokenAnswer = z.object({ access_token: z.string().min(1) })

/** Gets a Page's token with a person's token. @throws PlatformError */
export async function pageToken({ graph }: Api, pageId: string, person: Session, io: RestIo): Promise<string> {
  const call = { method: 'GET', path: `/${pageId}`, query: { fields: 'access_token' } } as const
  return (await graph(person, call, tokenAnswer, io)).access_token
}

/** Checks that a person's token yields that of the Page. @throws PlatformError naming the field */
export async function mustLeadTo(
  api: Api & Pick<GraphApi<'unreadable'>, 'is'>,
  pageId: string,
  person: Session,
  io: RestIo,
) {
  try {
    await pageToken(api, pageId, person, io)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const kind = api.is(error, 'unreadable') ? 'permanent' : error.kind
    throw new PlatformError(kind, `userToken: the Page's token could not be obtained with it. ${error.message}`, {
      cause: error,
    })
  }
}

/** To list the Pages of a person's business portfolios. */
export const PORTFOLIOS = 'business_management'

/** More than anyone manages, and limits for endless lists. */
const MOST_PAGES_OF_THE_LIST = 40

/** Each lets a person publish on a Page; the longer names are those of the New Pages Experience. */
const PUBLISHING_TASKS = [
  'CREATE_CONTENT',
  'MANAGE',
  'PROFILE_PLUS_CREATE_CONTENT',
  'PROFILE_PLUS_MANAGE',
  'PROFILE_PLUS_FULL_CONTROL',
]

const permissions = z.object({ data: z.array(z.object({ permission: z.string(), status: z.string() })) })

/** Permissions that a person granted the app; it may have requested more. @throws PlatformError */
export async function permissionsOf({ graph }: Api, person: Session, io: RestIo): Promise<readonly string[]> {
  const { data } = await graph(person, { method: 'GET', path: '/me/permissions' }, permissions, io)
  return data.filter(({ status }) => status === 'granted').map(({ permission }) => permission)
}

const page = z.object({
  id: plainId,
  name: z.string(),
  access_token: z.string().min(1).optional(),
  /** Absent for a Page of a business portfolio, unless it is among those assigned to the person. */
  tasks: z.array(z.string()).optional(),
  /** The professional account that is linked to it. */
  instagram_business_account: z.object({ id: plainId, username: z.string().min(1) }).optional(),
})
type ListedPage = z.infer<typeof page>
const portfolio = z.object({ id: plainId })
const assignedPage = page.pick({ id: true, tasks: true })

export interface RunPage {
  readonly id: string
  readonly name: string
  /** The Page's access token. */
  readonly token: string
  /** The name of the Instagram account that is linked to it. */
  readonly username: string | undefined
}

/**
 * The Pages that a person may publish to: those on which they have a role, and those of their business portfolios, which the
 * first list leaves out.
 *
 * @param granted the permissions of the login
 * @param withInstagram asks for the Instagram accounts that are linked to them
 * @throws PlatformError
 */
export async function pagesOf(
  api: Api,
  person: Session,
  granted: readonly string[],
  io: RestIo,
  withInstagram = false,
): Promise<readonly RunPage[]> {
  const fields = `id,name,access_token${withInstagram ? ',instagram_business_account{id,username}' : ''}`
  const own = await listed(api, '/me/accounts', `${fields},tasks`, person, io)
  const others = granted.includes(PORTFOLIOS)
    ? await pagesOfPortfolios(api, fields, person, io).catch(instead(own))
    : []
  const pages = new Map<string, RunPage>()
  for (const { id, name, access_token: token, tasks, instagram_business_account: linked } of [...own, ...others]) {
    // A Page of a portfolio has a token only if the person may use it.
    const mayPublish = !tasks || tasks.some((task) => PUBLISHING_TASKS.includes(task))
    if (token !== undefined && mayPublish && !pages.has(id))
      pages.set(id, { id, name, token, username: linked?.username })
  }
  return [...pages.values()]
}

/** An app may be allowed to list the Pages of a person, but not those of portfolios. */
function instead(own: readonly ListedPage[]) {
  return (error: unknown): readonly ListedPage[] => {
    if (own.length > 0 && error instanceof PlatformError && error.kind !== 'retryable') return []
    throw error
  }
}

async function pagesOfPortfolios(
  api: Api,
  fields: string,
  person: Session,
  io: RestIo,
): Promise<readonly ListedPage[]> {
  const query = { fields: 'id' }
  const edge = { path: '/me/businesses', query, item: portfolio, mostPages: MOST_PAGES_OF_THE_LIST }
  const portfolios = (await listOf(api, edge, person, io)) ?? []
  const pages: ListedPage[] = []
  for (const { id } of portfolios) {
    const of = (edge: string) => listed(api, `/${id}/${edge}`, fields, person, io)
    pages.push(...(await Promise.all([of('owned_pages'), of('client_pages')])).flat())
  }
  const tasks = new Map((await assignedPages(api, person, io)).map((one) => [one.id, one.tasks]))
  return pages.map((one) => ({ ...one, tasks: tasks.get(one.id) }))
}

/** What the person may do on each Page that a portfolio has assigned to them. Empty if they may not list those. */
async function assignedPages(api: Api, person: Session, io: RestIo): Promise<readonly z.infer<typeof assignedPage>[]> {
  const query = { fields: 'id,tasks' }
  const edge = { path: '/me/assigned_pages', query, item: assignedPage, mostPages: MOST_PAGES_OF_THE_LIST }
  try {
    return (await listOf(api, edge, person, io)) ?? []
  } catch (error) {
    if (error instanceof PlatformError && error.kind !== 'retryable') return []
    throw error
  }
}

async function listed(
  api: Api,
  path: string,
  fields: string,
  person: Session,
  io: RestIo,
): Promise<readonly ListedPage[]> {
  const all = await listOf(api, { path, query: { fields }, item: page, mostPages: MOST_PAGES_OF_THE_LIST }, person, io)
  if (all) return all
  throw new PlatformError('permanent', 'The login manages more Pages than Fanfare can list.')
}
