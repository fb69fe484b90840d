import { guardedHttp } from '../../infra/http/guarded-http.ts'
import { portOf } from '../../infra/http/outbound-address.ts'
import { outboundPolicy } from '../../infra/http/outbound-guard.ts'
import { createMailer } from '../../infra/mail/mailer.ts'
import { createOperatorNotices } from '../../infra/postgres/operator-notices.ts'
import { freeBytes, SCARCE_BYTES } from '../../infra/runtime/free-space.ts'
import type { OperatorTarget } from '../../infra/runtime/operator-settings.ts'
import { vapidKeys, vapidSubject } from '../../infra/runtime/vapid.ts'
import { sendTo } from '../../reactors/notifications/channels/send.ts'
import { watchServer } from '../../reactors/notifications/watch-server.ts'
import type { NatsSlots } from '../../reactors/runtime/nats-slots.ts'
import type { Core } from './core.ts'
import { healthChecks } from './health-checks.ts'

const USER_AGENT = 'Fanfare (+https://github.com/fanfare/fanfare)'
/** For a message that was certainly not sent. */
const PAUSES_MS = [10_000, 60_000]

/** By cause. */
const TITLES: Readonly<Record<string, string>> = {
  log: 'The log cannot be reached',
  database: 'Postgres cannot be reached',
  projections: 'The read models are behind',
  agenda: 'Work that is due is not done',
  webhooks: 'Events do not reach webhooks',
  hints: 'NATS cannot be reached',
  disk: 'The disk is nearly full',
}

/** Tells the operator what is wrong with the servers, where `OPERATOR_NOTIFY` says. */
export async function watchForOperator(
  core: Pick<Core, 'settings' | 'db' | 'log' | 'clock' | 'ids' | 'logger' | 'reachedAt'>,
  { nats, secret }: { readonly nats: NatsSlots | undefined; readonly secret: Buffer },
  signal: AbortSignal,
): Promise<void> {
  const { settings, db, clock, ids, logger, reachedAt } = core
  const { OPERATOR_NOTIFY: targets = [], NODE_NAME: node, DATA_DIR: dataDir, SMTP_URL, MAIL_FROM } = settings
  if (targets.length === 0) return
  const urls = targets.flatMap(({ kind, address }) => (kind === 'email' ? [] : [new URL(address)]))
  // The operator's own choice, which may be private.
  const policy = outboundPolicy(
    '',
    urls.map((url) => ({ host: url.hostname, port: portOf(url) })),
  )
  const deps = {
    http: guardedHttp({ policy, clock, userAgent: USER_AGENT }),
    mailer: SMTP_URL === undefined ? undefined : createMailer(SMTP_URL, MAIL_FROM),
    vapid: { ...vapidKeys(secret), subject: vapidSubject(settings) },
    ...{ clock, logger },
  }
  const send = async ({ kind, address }: OperatorTarget, message: Parameters<typeof sendTo>[3]) => {
    for (const pauseMs of [...PAUSES_MS, undefined]) {
      const place = kind === 'email' ? { address } : { url: address }
      const result = await sendTo(deps, kind, place, message, signal)
      if (result.kind === 'sent') return
      logger.warn({ kind, reason: result.error }, 'a message to the operator was not sent')
      if (result.kind !== 'deferred' || pauseMs === undefined) return
      await clock.sleep(pauseMs, signal)
    }
  }
  const checks = {
    ...healthChecks(core, nats),
    [`disk of ${node}`]: async () => {
      const free = await freeBytes(dataDir)
      if (free < SCARCE_BYTES) throw new Error(`${Math.floor(free / 1024 ** 2)} MB are free for DATA_DIR (${dataDir}).`)
    },
  }
  const tell = async (cause: string, error: string | undefined) => {
    const about = TITLES[cause.split(' ', 1)[0] ?? ''] ?? cause
    const [title, text] =
      error === undefined ? [`Resolved: ${about}`, 'It has been well for five minutes.'] : [about, error]
    logger.info({ cause, reason: error }, 'telling the operator')
    const url = `${reachedAt.url}/readyz`
    const message = { id: `operator_${ids.token()}`, title: `${title} (${node})`, about: cause, footer: '', url }
    await Promise.all(targets.map((target) => send(target, { ...message, lines: [{ text, url }] })))
  }
  await watchServer({ checks, notices: createOperatorNotices(db, clock), tell, clock, logger }, signal)
  await deps.http.close()
}
