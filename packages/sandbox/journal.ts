import { appendFileSync, closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs'

export interface Journal {
  /** On file when it returns: it outlives a kill of the process. */
  append(line: string): void
  close(): void
}

/**
 * An append-only file of lines. A kill can only cut the last line short; what was cut was never answered, so it is
 * dropped, and the file with it: a line written after it would otherwise be glued to it.
 *
 * @param read is given each whole line that is there
 * @throws naming file and line, when `read` does not take a line
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
        // A full disk may have taken half a line.
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
