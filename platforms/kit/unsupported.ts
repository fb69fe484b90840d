import { PlatformError } from './platform.ts'

/** The API cannot do this for the account. The message says why, as a sentence. */
export class Unsupported extends PlatformError {
  constructor(message: string) {
    super('permanent', message)
  }
}
