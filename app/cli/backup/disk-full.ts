import { hasCode } from '../../../infra/postgres/embedded/binaries.ts'
import { sqlState } from '../../../infra/postgres/errors.ts'

/** Whether a write failed because a disk is full, a quota is used up, or a file has reached its size limit. */
export function diskFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG') || sqlState(error) === '53100'
}
