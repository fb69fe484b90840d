import { z } from 'zod'
import type { Session } from '../meta/graph.ts'
import { PlatformError } from '../kit/platform.ts'
import type { RestIo } from '../kit/rest.ts'
import { graph } from './api.ts'
import { listOf } from './list.ts'
import { plainId } from '../kit/plain-id.ts'

/** More than anyone manages, and a limit for an endless list. */
const MOST_PAGES_OF_THE_LIST = 40

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
  tasks: z.array(z.string()).default([]),
})

export interface RunPage {
  readonly id: string
  readonly name: string
  /** The Page's access token. */
  readonly token: string
}

/** The Pages that a person may publish to. @throws PlatformError */
export async function pagesOf(person: Session, io: RestIo): Promise<readonly RunPage[]> {
  const edge = {
    path: '/me/accounts',
    query: { fields: 'id,name,access_token,tasks' },
    item: page,
    mostPages: MOST_PAGES_OF_THE_LIST,
  }
  const all = await listOf(edge, person, io)
  if (!all) throw new PlatformError('permanent', 'The login manages more Pages than Fanfare can list.')
  return all.flatMap(({ id, name, access_token: token, tasks }) =>
    token !== undefined && tasks.includes('CREATE_CONTENT') ? [{ id, name, token }] : [],
  )
}
