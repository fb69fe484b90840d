import * as z from 'zod'
import { hasStatus } from '../kit/errors.ts'
import type { PlatformIo } from '../kit/platform.ts'
import { bodyOf } from '../kit/rest.ts'
import { callAs, type Call } from './api.ts'

const userinfo = z.object({ sub: z.string().min(1), name: z.string().optional() })
const profile = z.object({
  id: z.string().min(1),
  localizedFirstName: z.string().optional(),
  localizedLastName: z.string().optional(),
})

export interface Member {
  readonly urn: string
  readonly name: string | undefined
}

/**
 * The member that the token belongs to. Sign-in apps read it through OpenID Connect, page management apps from the profile.
 *
 * @throws PlatformError
 */
export async function memberOf(baseUrl: string | undefined, io: PlatformIo): Promise<Member> {
  const get = async <T>(path: Call['path'], answer: z.ZodType<T>): Promise<T> => {
    const response = await callAs(baseUrl, { method: 'GET', path }, io)
    return bodyOf('linkedin', { method: 'GET', url: path }, response, answer)
  }
  try {
    const { sub, name } = await get('/v2/userinfo', userinfo)
    return { urn: urnOf(sub), name: name || undefined }
  } catch (error) {
    if (!hasStatus(error, 403)) throw error
    const { id, localizedFirstName, localizedLastName } = await get('/v2/me', profile)
    const name = [localizedFirstName, localizedLastName].filter((part) => part).join(' ')
    return { urn: urnOf(id), name: name || undefined }
  }
}

function urnOf(id: string): string {
  return `urn:li:person:${id}`
}
