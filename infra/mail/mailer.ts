import { createTransport } from 'nodemailer'

export interface Mail {
  /** Unique in the world, and the same whenever it is tried again. */
  readonly messageId: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** What a mail program calls, without asking, when somebody unsubscribes (RFC 8058). */
  readonly unsubscribeUrl?: string | undefined
}

/** Why a mail was not sent. `mayHaveArrived`: the server had all of it, and did not answer. */
export class MailFailure extends Error {
  readonly mayHaveArrived: boolean
  /** The server refuses it, whenever it is sent. */
  readonly isFinal: boolean

  constructor(message: string, how: { readonly mayHaveArrived: boolean; readonly isFinal: boolean }, cause: unknown) {
    super(message, { cause })
    this.name = 'MailFailure'
    this.mayHaveArrived = how.mayHaveArrived
    this.isFinal = how.isFinal
  }
}

/** Sends mail by the operator's SMTP server. */
export interface Mailer {
  /** @throws MailFailure */
  send(mail: Mail): Promise<void>
}

/** For a name, a greeting and each answer (ms). */
const ANSWER_TIMEOUT_MS = 10_000
/**
 * @param url `smtp:` or `smtps:`, with a user and password if the server requires them
 * @param from the sender, as in `Fanfare <fanfare@example.com>`
 */
export function createMailer(url: string, from: string): Mailer {
  return {
    send: async ({ messageId, to, subject, text, unsubscribeUrl }) => {
      // The error of a connection that breaks does not say how far it got, but that all of a mail was written is logged.
      let mayHaveArrived = false
      const written = (entry: unknown) => {
        if (Object(entry).tnx === 'message') mayHaveArrived = true
      }
      const silent = () => undefined
      const transport = createTransport({
        url,
        connectionTimeout: ANSWER_TIMEOUT_MS,
        greetingTimeout: ANSWER_TIMEOUT_MS,
        socketTimeout: ANSWER_TIMEOUT_MS,
        dnsTimeout: ANSWER_TIMEOUT_MS,
        logger: {
          level: silent,
          trace: silent,
          debug: silent,
          info: written,
          warn: silent,
          error: silent,
          fatal: silent,
        },
        // Nothing of a mail comes from a file or a URL.
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      const headers = {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribeUrl !== undefined && {
          'List-Unsubscribe': `<${unsubscribeUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      }
      try {
        await transport.sendMail({ from, messageId, to: { name: '', address: to }, subject, text, headers })
      } catch (error) {
        throw failureOf(error, mayHaveArrived)
      } finally {
        transport.close()
      }
    },
  }
}

/** In words for the person who asked for the mail: how the operator's server is reached is none of their business. */
function failureOf(error: unknown, mayHaveArrived: boolean): MailFailure {
  const {
    command = '',
    responseCode = 0,
    response = '',
  } = Object(error) as {
    command?: string
    responseCode?: number
    response?: string
  }
  if (responseCode < 400)
    return new MailFailure('The mail server cannot be reached.', { mayHaveArrived, isFinal: false }, error)
  const refused = { mayHaveArrived: false, isFinal: responseCode >= 500 }
  // A password that is wrong is the operator's mistake, not the mail's.
  if (command.startsWith('AUTH')) {
    const message = 'The mail server refuses this service: its operator has to check SMTP_URL.'
    return new MailFailure(message, { ...refused, isFinal: false }, error)
  }
  return new MailFailure(`The mail server refuses it: ${response.slice(0, 200)}`, refused, error)
}
