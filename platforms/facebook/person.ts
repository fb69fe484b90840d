import * as z from 'zod'
import type { Session } from '../meta/graph.ts'
import { PlatformError } from '../kit/platform.ts'
import type { Removals } from '../kit/removal.ts'
import type { RestIo } from '../kit/rest.ts'
import { graph } from './api.ts'
import { listOf } from './list.ts'
import { plainId } from '../kit/plain-id.ts'
import { sessionOf } from './session.ts'

const person = z.object({ id: plainId })

/** The app-scoped ID of the person, by which Meta reports that they have removed the app. @throws PlatformError */
export async function personId(session: Session, io: RestIo): Promise<string> {
  return (await graph(session, { method: 'GET', path: '/me', query: { fields: 'id' } }, person, io)).id
}

/** A Page's token does not tell whose it is. */
export const ownerId: NonNullable<Removals['ownerId']> = async ({ baseUrl }, io) => {
  const { userToken, clientSecret } = await io.credentials.read()
  return userToken === undefined
    ? undefined
    : personId(sessionOf({ accessToken: userToken, clientSecret }, baseUrl), io)
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
export async function permissionsOf(person: Session, io: RestIo): Promise<readonly string[]> {
  const { data } = await graph(person, { method: 'GET', path: '/me/permissions' }, permissions, io)
  return data.filter(({ status }) => status === 'granted').map(({ permission }) => permission)
}

const page = z.object({
  id: plainId,
  name: z.string(),
  access_token: z.string().min(1).optional(),
  /** Absent for a Page of a business portfolio, unless it is among those assigned to the person. */
  tasks: z.array(z.string()).optional(),
})
type ListedPage = z.infer<typeof page>
const portfolio = z.object({ id: plainId })
const assignedPage = page.pick({ id: true, tasks: true })

export interface RunPage {
  readonly id: string
  readonly name: string
  /** The Page's access token. */
  readonly token: string
}

/**
 * The Pages that a person may publish to: those on which they have a role, and those of their business portfolios, which the
 * first list leaves out.
 *
 * @param granted the permissions of the login
 * @throws PlatformError
 */
export async function pagesOf(person: Session, granted: readonly string[], io: RestIo): Promise<readonly RunPage[]> {
  const own = await listed('/me/accounts', 'id,name,access_token,tasks', person, io)
  const others = granted.includes(PORTFOLIOS) ? await pagesOfPortfolios(person, io).catch(instead(own)) : []
  const pages = new Map<string, RunPage>()
  for (const { id, name, access_token: token, tasks } of [...own, ...others]) {
    // A Page of a portfolio has a token only if the person may use it.
    const mayPublish = !tasks || tasks.some((task) => PUBLISHING_TASKS.includes(task))
    if (token !== undefined && mayPublish && !pages.has(id)) pages.set(id, { id, name, token })
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

async function pagesOfPortfolios(person: Session, io: RestIo): Promise<readonly ListedPage[]> {
  const query = { fields: 'id' }
  const edge = { path: '/me/businesses', query, item: portfolio, mostPages: MOST_PAGES_OF_THE_LIST }
  const portfolios = (await listOf(edge, person, io)) ?? []
  const pages: ListedPage[] = []
  for (const { id } of portfolios) {
    const of = (edge: string) => listed(`/${id}/${edge}`, 'id,name,access_token', person, io)
    pages.push(...(await Promise.all([of('owned_pages'), of('client_pages')])).flat())
  }
  const tasks = new Map((await assignedPages(person, io)).map((one) => [one.id, one.tasks]))
  return pages.map((one) => ({ ...one, tasks: tasks.get(one.id) }))
}

/** What the person may do on each Page that a portfolio has assigned to them. Empty if they may not list those. */
async function assignedPages(person: Session, io: RestIo): Promise<readonly z.infer<typeof assignedPage>[]> {
  const query = { fields: 'id,tasks' }
  const edge = { path: '/me/assigned_pages', query, item: assignedPage, mostPages: MOST_PAGES_OF_THE_LIST }
  try {
    return (await listOf(edge, person, io)) ?? []
  } catch (error) {
    if (error instanceof PlatformError && error.kind !== 'retryable') return []
    throw error
  }
}

async function listed(path: string, fields: string, person: Session, io: RestIo): Promise<readonly ListedPage[]> {
  const all = await listOf({ path, query: { fields }, item: page, mostPages: MOST_PAGES_OF_THE_LIST }, person, io)
  if (all) return all
  throw new PlatformError('permanent', 'The login manages more Pages than Fanfare can list.')
}
