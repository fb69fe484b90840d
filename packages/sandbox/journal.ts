import { appendFileSync, closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs'

export interface Journal {
  /** On disk when it returns, so the line survives a crash. */
  append(line: string): void
  close(): void
}

/**
 * An append-only file of lines. A crash can only truncate the last line. A truncated line was never acknowledged, so it is
 * removed from the file; otherwise the next line would be appended to it.
 *
 * @param read receives each complete line
 * @throws naming the file and line, when `read` rejects a line
 */
export function openJournal(file: string, read: (line: string) => void): Journal {
  const descriptor = openSync(file, 'a+', 0o600)
  try {
    const content = readFileSync(descriptor)
    const whole = content.lastIndexOf('\n') + 1
    content
      .toString('utf8', 0, whole)
      .split('\n')
      .slice(0, -1)
      .forEach((line, index) => {
        try {
          read(line)
        } catch (error) {
          throw new Error(`${file}, line ${index + 1} is damaged`, { cause: error })
        }
      })
    if (whole < content.length) ftruncateSync(descriptor, whole)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }

  let closed = false
  return {
    append: (line) => {
      const before = fstatSync(descriptor).size
      try {
        appendFileSync(descriptor, `${line}\n`)
      } catch (error) {
        // A full disk may have left half a line.
        ftruncateSync(descriptor, before)
        throw error
      }
    },
    close: () => {
      if (!closed) closeSync(descriptor)
      closed = true
    },
  }
}
