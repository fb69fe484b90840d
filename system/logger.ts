import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino'
import type { LogLevel } from './settings.ts'

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>

/** What must never be read in a log: our API keys, bearer tokens and credentials inside a URL. */
const SECRETS = /\bfnf_\w+|(?<=\bBearer\s+)[\w.~+/=-]+|(?<=\/\/[^/\s:@]+:)[^/\s@]+(?=@)/gi

export function scrub(text: string): string {
  return text.replace(SECRETS, '[secret]')
}

/** Structured lines, on stderr unless told otherwise, so that what a command prints on stdout stays clean. */
export function createLogger(level: LogLevel, destination: DestinationStream = standardError()): Logger {
  const serialized = (error: Error): object => ({
    type: error.name,
    message: scrub(error.message),
    stack: scrub(error.stack ?? ''),
    ...(error.cause instanceof Error ? { cause: scrub(`${error.cause.name}: ${error.cause.message}`) } : {}),
  })
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: serialized } },
    destination,
  )
}

function standardError(): DestinationStream {
  return pino.destination({ dest: 2, sync: true })
}
