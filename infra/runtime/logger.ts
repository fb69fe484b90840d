import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino'
import { hiding } from './secrets.ts'
import type { LogLevel } from './settings.ts'

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>

/** What must never appear in a log: our API keys, bearer tokens, and credentials inside a URL, including its query. */
const SECRETS = new RegExp(
  [
    /\bfnf_\w+/,
    /(?<=\bBearer\s{1,9})[\w.~+/=-]+/,
    /(?<=\/\/[^/\s:@"]+:)[^/\s@"]+(?=@)/,
    /(?<=[?&]\w*(?:token|secret|password|signature|key|code|credential)=)[^&\s"#]+/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
)

export function scrub(text: string): string {
  return text.replace(SECRETS, '[secret]')
}

export interface LoggerOptions {
  /** Secrets redacted from every line. */
  readonly secrets?: readonly string[]
  /** Fields added to each line, such as the current trace. */
  readonly context?: () => object
}

/** Structured log lines, on stderr by default so that a command's stdout stays clean. */
export function createLogger(
  level: LogLevel,
  destination: DestinationStream = standardError(),
  { secrets = [], context }: LoggerOptions = {},
): Logger {
  const hide = hiding(secrets)
  const serialized = (error: Error): object => ({
    type: error.name,
    message: error.message,
    stack: error.stack ?? '',
    ...(error.cause instanceof Error ? { cause: `${error.cause.name}: ${error.cause.message}` } : {}),
  })
  return pino(
    {
      ...{ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: serialized } },
      ...(context && { mixin: context }),
    },
    // Scrubs the whole line, so that no field is missed.
    { write: (line) => destination.write(scrub(hide(line))) },
  )
}

function standardError(): DestinationStream {
  return pino.destination({ dest: 2, sync: true })
}
