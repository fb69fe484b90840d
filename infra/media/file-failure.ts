import { MediaStoreError } from './store-error.ts'

const FULL = new Set(['ENOSPC', 'EDQUOT'])
const FORBIDDEN = new Set(['EACCES', 'EPERM', 'EROFS'])

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT'
}

/** Turns a failed system call on the media folder into a MediaStoreError in plain words; other errors stay as they are. */
export function asFileStoreError(error: unknown): unknown {
  const code = codeOf(error)
  if (code === undefined) return error
  return new MediaStoreError(wordsFor(code), { passes: false, cause: error })
}

function wordsFor(code: string): string {
  if (FULL.has(code)) return 'the disk is full: free up space for the folder media in DATA_DIR'
  if (FORBIDDEN.has(code)) return `the folder media in DATA_DIR cannot be used by this user (${code})`
  return `the folder media in DATA_DIR cannot be used (${code})`
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
