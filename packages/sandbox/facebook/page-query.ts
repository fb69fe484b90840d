import { listQuery } from '../meta/page.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Call } from './tokens.ts'

/** Parameters of every list. */
export const pageQuery = listQuery(0, 100, 25)

/** The address of a list, with what the caller asked of it. */
export function listUrl(
  path: string,
  { credentials, parameters }: Pick<Call, 'credentials' | 'parameters'>,
  { baseUrl }: Pick<StandInDeps, 'baseUrl'>,
): string {
  return `${baseUrl()}/v26.0/${path}?${new URLSearchParams({ ...credentials, ...parameters })}`
}
