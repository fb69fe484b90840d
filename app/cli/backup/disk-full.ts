import { hasCode } from '../../../infra/postgres/embedded/binaries.ts'
import { sqlState } from '../../../infra/postgres/errors.ts'

/** Whether something could not be written because a disk is full, a quota used up, or a file may not become larger. */
export function diskFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG') || sqlState(error) === '53100'
}
